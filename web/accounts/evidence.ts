import type { NumberEvidence } from '#contract/numbers.ts';

/** What was brought to show that this number is the reader's. */
export type Evidence = Partial<NumberEvidence> & { number: string };
