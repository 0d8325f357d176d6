import { expect } from 'vitest';
import { CONTRADICTION } from '#worker/matching/judging/evidence.ts';

export type Weighed = [what: string, points: number];

export const NOTHING: Weighed = ['nothing', 0];
export const AGAINST: Weighed = ['a contradiction', CONTRADICTION];

/**
 * The weights may be moved; what is worth more than what may not. The list runs from what speaks most for one thing to what
 * speaks most against it, and no two are worth the same.
 */
export function expectInOrder(list: Weighed[]): void {
  const sorted = [...list].sort(([, a], [, b]) => b - a);
  expect(sorted.map(([what]) => what)).toEqual(list.map(([what]) => what));
  expect(new Set(list.map(([, points]) => points)).size).toBe(list.length);
}
