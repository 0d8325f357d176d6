import type { MatchReason } from '#contract/matching.ts';

/**
 * What one kind of comparison says. Points are counted in units of the threshold: one point in all is a match.
 */
export type Evidence = { points: number; reasons: MatchReason[] };

/** A plain contradiction outweighs everything but a number or a full name that agrees. */
export const CONTRADICTION = -1.6;

export const NO_EVIDENCE: Evidence = { points: 0, reasons: [] };

export function against(points: number): Evidence {
  return { points, reasons: [] };
}

export function addEvidence(list: Evidence[]): Evidence {
  return {
    points: list.reduce((sum, evidence) => sum + evidence.points, 0),
    reasons: list.flatMap((evidence) => evidence.reasons),
  };
}

export function sharedOf<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): T[] {
  return [...a].filter((value) => b.has(value));
}
