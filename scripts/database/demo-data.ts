import type { PostInput, PostKind } from '#contract/posts.ts';
import type { ReportReason } from '#contract/report-reasons.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export type DemoUser = {
  username: string;
  email: string;
  phone: string;
  password: string;
  /** Their number was only typed. */
  isUnproven?: true;
  isPlatformAdmin?: true;
  /** Why an admin has suspended them. */
  suspendedFor?: string;
};
export type DemoUserName = keyof typeof DEMO_USERS;
export type DemoCommunityName = keyof typeof DEMO_COMMUNITIES;
export type DemoPost = Omit<PostInput, 'phone_number' | 'community_code' | 'kind'> & {
  /** As its text says. */
  kind: PostKind;
  author: DemoUserName;
  community?: DemoCommunityName;
  ageMs: number;
  isFound?: true;
  reports?: { by: DemoUserName; reason: ReportReason; text: string | null }[];
  /** What the platform's admin wrote when they hid it. */
  hiddenFor?: string;
};

/** Passwords that can be read aloud; the numbers belong to no operator's range in use. */
export const DEMO_USERS = {
  neema: { username: 'Neema Mushi', email: 'neema@example.com', phone: '+255700000101', password: 'embe-dodo-tamu' },
  juma: { username: 'Juma Hassan', email: 'juma@example.com', phone: '+255700000102', password: 'pweza-wa-bahari' },
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

export const DEMO_COMMUNITIES = {
  mlimani: {
    name: 'Wanafunzi wa Mlimani',
    description:
      'Wanafunzi na wafanyakazi wa kampasi ya Mlimani: tunarudishiana vilivyopotea hosteli, maktaba na madarasani.',
    language: 'sw',
    admin: 'neema',
    members: ['asha'],
    ageMs: 40 * DAY_MS,
  },
  kariakoo: {
    name: 'Kariakoo Market Traders',
    description: 'Shopkeepers and customers around the Kariakoo market. Found something at your stall? Post it here.',
    language: 'en',
    admin: 'juma',
    members: ['asha', 'neema'],
    ageMs: 25 * DAY_MS,
  },
} as const;

/** Who has blocked whom. */
export const DEMO_BLOCKS: readonly [blocker: DemoUserName, blocked: DemoUserName][] = [['asha', 'hamisi']];

/** Oldest first. The first eight are pairs: what one person lost in one language, another found in the other. */
export const DEMO_POSTS: readonly DemoPost[] = [
  {
    author: 'neema',
    posted_by: 'owner',
    kind: 'document',
    title: 'Nimepoteza kitambulisho cha taifa (NIDA)',
    owner_first_name: 'Neema',
    owner_last_name: 'Mushi',
    location: 'Kariakoo, Dar es Salaam',
    description:
      'Kilidondoka kwenye daladala ya Kariakoo–Mbagala Jumatatu jioni. Kimefungwa kwenye kifuko cha plastiki.',
    ageMs: 6 * DAY_MS,
  },
  {
    author: 'juma',
    posted_by: 'finder',
    kind: 'document',
    title: 'Found a national ID card (NIDA)',
    owner_first_name: 'Neema',
    owner_last_name: 'Mushi',
    location: 'Kariakoo, Msimbazi Street',
    description: 'A passenger left it in my daladala, inside a small plastic cover. I keep it at my shop.',
    ageMs: 5 * DAY_MS,
  },
  {
    author: 'juma',
    posted_by: 'owner',
    kind: 'electronics',
    title: 'Lost my phone, a blue Tecno Spark 10',
    owner_first_name: 'Juma',
    owner_last_name: 'Hassan',
    location: 'Mbezi, Magufuli bus terminal',
    description: 'Black cover, small crack in the corner of the screen. Lost while boarding the bus to Morogoro.',
    ageMs: 4 * DAY_MS,
  },
  {
    author: 'asha',
    posted_by: 'finder',
    kind: 'electronics',
    title: 'Nimeokota simu aina ya Tecno Spark ya bluu',
    owner_first_name: '',
    owner_last_name: '',
    location: 'Stendi ya Magufuli, Mbezi',
    description:
      'Ina kava jeusi na kioo kimepasuka kidogo pembeni. Mwenye nayo aje na risiti au aniambie picha iliyo mbele.',
    ageMs: 4 * DAY_MS - 5 * HOUR_MS,
  },
  {
    author: 'asha',
    posted_by: 'owner',
    kind: 'bag',
    title: 'Lost brown backpack with a laptop',
    owner_first_name: 'Asha',
    owner_last_name: 'Mrisho',
    location: 'Mwenge, Dar es Salaam',
    description: 'HP laptop, charger and two notebooks inside. I left the bag on the seat of a bajaji.',
    ageMs: 3 * DAY_MS,
  },
  {
    author: 'neema',
    posted_by: 'finder',
    kind: 'bag',
    title: 'Begi la mgongoni la kahawia lenye laptop limeokotwa',
    owner_first_name: '',
    owner_last_name: '',
    location: 'Mwenge, kituo cha bajaji',
    description: 'Dereva wa bajaji ameniachia. Ndani kuna laptop ya HP na madaftari mawili.',
    ageMs: 2 * DAY_MS,
  },
  {
    author: 'asha',
    community: 'mlimani',
    posted_by: 'owner',
    kind: 'document',
    title: 'Nimepoteza kitambulisho cha mwanafunzi',
    owner_first_name: 'Asha',
    owner_last_name: 'Mrisho',
    location: 'Maktaba kuu, Mlimani',
    description: 'Nadhani nilikiacha kwenye meza ya kusomea ghorofa ya kwanza.',
    ageMs: 2 * DAY_MS - 3 * HOUR_MS,
  },
  {
    author: 'neema',
    community: 'mlimani',
    posted_by: 'finder',
    kind: 'document',
    title: 'Student ID found in the library',
    owner_first_name: 'Asha',
    owner_last_name: 'Mrisho',
    location: 'Mlimani main library, first floor',
    description: 'It was on a reading table. I have handed it to the front desk.',
    ageMs: DAY_MS,
  },
  {
    author: 'neema',
    posted_by: 'owner',
    kind: 'wear',
    title: 'Pete ya ndoa imepotea ufukweni',
    owner_first_name: 'Neema',
    owner_last_name: 'Mushi',
    location: 'Coco Beach, Oysterbay',
    description: 'Pete ya dhahabu, ndani imeandikwa tarehe ya harusi. Zawadi itatolewa. Asanteni, imepatikana!',
    ageMs: 22 * HOUR_MS,
    isFound: true,
  },
  {
    author: 'juma',
    community: 'kariakoo',
    posted_by: 'finder',
    kind: 'key',
    title: 'Keys with a Toyota key ring',
    owner_first_name: '',
    owner_last_name: '',
    location: 'Kariakoo, Congo Street',
    description: 'Four keys and a red ribbon, left on the counter of a kitenge shop.',
    on_behalf: true,
    ageMs: 9 * HOUR_MS,
  },
  {
    author: 'asha',
    posted_by: 'finder',
    kind: 'document',
    title: 'Leseni ya udereva imeokotwa',
    owner_first_name: 'Emmanuel',
    owner_last_name: 'Kimaro',
    location: 'Stendi kuu, Moshi',
    description: 'Imeachwa kwenye basi la asubuhi kutoka Arusha. Iko salama, piga simu tupange pa kukutana.',
    ageMs: 4 * HOUR_MS,
  },
  {
    author: 'juma',
    posted_by: 'finder',
    kind: 'document',
    title: 'Passport found near Terminal 3',
    owner_first_name: 'Grace',
    owner_last_name: 'Mwakalinga',
    location: 'Julius Nyerere International Airport, Dar es Salaam',
    description: 'Tanzanian passport in a leather holder. I can also leave it with the airport police.',
    ageMs: HOUR_MS,
  },
  {
    author: 'juma',
    posted_by: 'finder',
    kind: 'electronics',
    title: 'Simu zilizookotwa, bei nafuu',
    owner_first_name: '',
    owner_last_name: '',
    location: 'Kariakoo, Dar es Salaam',
    description: 'Tuma elfu kumi ya usajili kwanza, kisha uchague simu unayotaka.',
    ageMs: 3 * HOUR_MS,
    reports: [
      { by: 'asha', reason: 'scam', text: 'Aliniomba hela kabla ya kunionyesha simu.' },
      { by: 'neema', reason: 'not_a_lost_item', text: null },
    ],
  },
  {
    author: 'asha',
    posted_by: 'finder',
    kind: 'document',
    title: 'Kadi ya benki imeokotwa',
    owner_first_name: 'Emmanuel',
    owner_last_name: 'Kimaro',
    location: 'Mwenge, Dar es Salaam',
    description: 'Namba zote za kadi ziko hapa, mwenyewe azilinganishe.',
    ageMs: 7 * HOUR_MS,
    reports: [{ by: 'juma', reason: 'private_data', text: 'Namba zote za kadi zinaonekana.' }],
    hiddenFor: 'Tangazo lako linaonyesha namba za kadi. Tafadhali ziondoe.',
  },
  {
    author: 'hamisi',
    posted_by: 'finder',
    kind: 'electronics',
    title: 'Nimepata simu, tuma nauli kwanza',
    owner_first_name: '',
    owner_last_name: '',
    location: 'Ubungo, Dar es Salaam',
    description: 'Simu ninayo. Tuma elfu tano ya nauli ndipo nikuletee.',
    ageMs: 3 * HOUR_MS,
  },
];
