import type { ClaimStep } from '#contract/claims.ts';
import { DAY_MS, HOUR_MS } from '#contract/durations.ts';
import type { DemoUserName } from './demo-people.ts';

export type DemoClaim = {
  /** The name of a finder's post. */
  post: string;
  claimant: DemoUserName;
  answer: string;
  ageMs: number;
  /** The steps since then, oldest first. */
  steps: { step: ClaimStep; text?: string; ageMs: number }[];
};

/** One claim in each interesting state. */
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
