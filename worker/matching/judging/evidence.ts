import type { Reason } from '#worker/matching/lexicon/word-reasons.ts';

/**
 * What one comparison says. Points are counted in units of the threshold: one point in all is a match.
 */
export type Evidence = {
  points: number;
  reasons: Reason[];
  /** The values that agree, as `valuesOf` a reading names them: a rare one says more than a common one. */
  agreed?: string[];
};

/** What two posts are compared by. */
export type Aspect =
  | 'thing'
  | 'colour'
  | 'make'
  | 'count'
  | 'group'
  | 'attributes'
  | 'belonging'
  | 'owner'
  | 'number'
  | 'place'
  | 'parts'
  | 'features'
  | 'words'
  | 'denied'
  | 'contents'
  | 'writing'
  | 'issuer'
  | 'measures'
  | 'values'
  | 'maker'
  | 'concepts'
  | 'opposites'
  | 'look'
  | 'said'
  | 'amount'
  | 'day'
  | 'thin';

/** A plain contradiction outweighs everything but a number or a full name that agrees. */
export const CONTRADICTION = -1.6;

export const NO_EVIDENCE: Evidence = { points: 0, reasons: [] };

/** Points that nobody is given a reason for: those against, and those for what goes without saying. */
export function withoutReason(points: number): Evidence {
  return { points, reasons: [] };
}

/** What reads the same in every language: a name, a number, a word as it was written. */
export function reasonOf(kind: Reason['kind'], text: string): Reason {
  return { kind, text };
}

export function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The reasons stay in the order of the list. */
export function addEvidence(list: Evidence[]): Evidence {
  return {
    points: list.reduce((sum, evidence) => sum + evidence.points, 0),
    reasons: list.flatMap((evidence) => evidence.reasons),
    agreed: list.flatMap((evidence) => evidence.agreed ?? []),
  };
}

export function sharedOf<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): T[] {
  return [...a].filter((value) => b.has(value));
}
