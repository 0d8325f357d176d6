import type { NoticeSettings } from '#contract/channels.ts';
import type { ClaimStep } from '#contract/claims.ts';
import { DAY_MS, HOUR_MS } from '#contract/durations.ts';
import type { Language } from '#contract/language.ts';

export type DemoUser = {
  username: string;
  email: string;
  phone: string;
  password: string;
  /** The user has entered a phone number but not proven it. */
  isUnproven?: true;
  hasProvenEmail?: true;
  /** The user's notice settings, if they differ from the default. */
  settings?: NoticeSettings;
  isPlatformAdmin?: true;
  /** The admin's reason for suspending the user. */
  suspendedFor?: string;
};
export type DemoUserName = keyof typeof DEMO_USERS;
export type DemoCommunityName = keyof typeof DEMO_COMMUNITIES;
/** The demo users. Their passwords are easy to read aloud. Their phone numbers are in a range that no operator uses. */
export const DEMO_USERS = {
  neema: {
    username: 'Neema Mushi',
    email: 'neema@example.com',
    phone: '+255700000101',
    password: 'embe-dodo-tamu',
    hasProvenEmail: true,
  },
  juma: {
    username: 'Juma Hassan',
    email: 'juma@example.com',
    phone: '+255700000102',
    password: 'pweza-wa-bahari',
    hasProvenEmail: true,
    settings: { push: true, whatsapp: true, email: true, quiet_from: '21:00', quiet_to: '06:00' },
  },
  asha: {
    username: 'Asha Mrisho',
    email: 'asha@example.com',
    phone: '+255700000103',
    password: 'mnazi-mrefu',
    isUnproven: true,
  },
  admin: {
    username: 'Msimamizi',
    email: 'admin@example.com',
    phone: '+255700000104',
    password: 'mlima-kilimanjaro',
    isPlatformAdmin: true,
  },
  hamisi: {
    username: 'Hamisi Komba',
    email: 'hamisi@example.com',
    phone: '+255700000105',
    password: 'samaki-wa-pwani',
    suspendedFor: 'Anaomba nauli kabla ya kurudisha kitu ambacho hana.',
  },
} as const satisfies Record<string, DemoUser>;

export type DemoCommunity = {
  name: string;
  description: string;
  language: Language;
  admin: DemoUserName;
  members: readonly DemoUserName[];
  ageMs: number;
  requests?: readonly { by: DemoUserName; message: string }[];
  /** The new name that the community's admin has requested. */
  pendingName?: string;
  /** How long until the community closes. */
  closesInMs?: number;
};
export const DEMO_COMMUNITIES = {
  mlimani: {
    name: 'Wanafunzi wa Mlimani',
    description:
      'Wanafunzi na wafanyakazi wa kampasi ya Mlimani: tunarudishiana vilivyopotea hosteli, maktaba na madarasani.',
    language: 'sw',
    admin: 'neema',
    members: ['asha'],
    ageMs: 40 * DAY_MS,
    requests: [{ by: 'juma', message: 'Nafundisha kwenye kitivo cha sheria, na nimeokota vitu viwili maktaba.' }],
  },
  kariakoo: {
    name: 'Kariakoo Market Traders',
    description: 'Shopkeepers and customers around the Kariakoo market. Found something at your stall? Post it here.',
    language: 'en',
    admin: 'juma',
    members: ['asha', 'neema'],
    ageMs: 25 * DAY_MS,
    pendingName: 'Soko la Kariakoo',
  },
  kurasini: {
    name: 'Mtaa wa Kurasini',
    description: 'Majirani wa Kurasini. Tunahamia kwenye jumuiya ya kata nzima.',
    language: 'sw',
    admin: 'neema',
    members: ['juma'],
    ageMs: 60 * DAY_MS,
    closesInMs: 4 * DAY_MS,
  },
} as const satisfies Record<string, DemoCommunity>;

export const DEMO_BLOCKS: readonly [blocker: DemoUserName, blocked: DemoUserName][] = [['asha', 'hamisi']];

export type DemoClaim = {
  /** The name of a finder's post in `DEMO_POSTS`. */
  post: string;
  claimant: DemoUserName;
  answer: string;
  ageMs: number;
  /** The steps after the claim was made, oldest first. */
  steps: { step: ClaimStep; text?: string; ageMs: number }[];
};

/** Demo claims, one for each state that the screen shows differently. */
export const DEMO_CLAIMS: readonly DemoClaim[] = [
  {
    post: 'motorbike keys',
    claimant: 'juma',
    answer: 'Ni kishikio cha ngozi chenye herufi ya jina langu.',
    ageMs: 4 * DAY_MS,
    steps: [
      { step: 'ask', text: 'Ni herufi gani?', ageMs: 4 * DAY_MS - HOUR_MS },
      { step: 'reply', text: 'Herufi J, kwa Juma.', ageMs: 3 * DAY_MS },
      { step: 'accept', ageMs: 3 * DAY_MS - HOUR_MS },
      { step: 'hand-over', ageMs: 2 * DAY_MS },
    ],
  },
  {
    post: 'backpack',
    claimant: 'asha',
    answer: 'Daftari moja ni la kijani, jingine la njano.',
    ageMs: 30 * HOUR_MS,
    steps: [{ step: 'accept', ageMs: 20 * HOUR_MS }],
  },
  {
    post: 'found Tecno',
    claimant: 'juma',
    answer: 'A boat on the beach at Bagamoyo.',
    ageMs: 26 * HOUR_MS,
    steps: [{ step: 'ask', text: 'Na nyuma ya kava kuna nini?', ageMs: 5 * HOUR_MS }],
  },
  {
    post: 'national ID',
    claimant: 'neema',
    answer: 'Kuna tiketi ya basi ya kutoka Morogoro.',
    ageMs: 2 * HOUR_MS,
    steps: [],
  },
];
