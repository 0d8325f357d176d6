import type { Reason } from '#worker/matching/lexicon/word-reasons.ts';

/** The result of one comparison. About one point is enough for a match; negative points speak against the match. */
export type Evidence = {
  points: number;
  reasons: Reason[];
  /** The values that both posts share, such as "colour red": a rare value is stronger evidence than a common one. */
  agreed?: string[];
};

/** A subject in which two posts are compared. */
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

/** A clear contradiction. Only an equal identifier or full name outweighs it. */
export const CONTRADICTION = -1.6;

export const NO_EVIDENCE: Evidence = { points: 0, reasons: [] };

/** Returns evidence without a reason to show to users, such as contradictions and trivial agreements. */
export function withoutReason(points: number): Evidence {
  return { points, reasons: [] };
}

/** Returns a reason with a text that is the same in every language: a name, a number, a word of the post. */
export function reasonOf(kind: Reason['kind'], text: string): Reason {
  return { kind, text };
}

export function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Sums up evidence. The reasons keep their order. */
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
