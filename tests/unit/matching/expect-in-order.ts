import { expect } from 'vitest';
import { CONTRADICTION } from '#worker/matching/judging/evidence.ts';

export type Weighed = [what: string, points: number];

export const NOTHING: Weighed = ['nothing', 0];
export const AGAINST: Weighed = ['a contradiction', CONTRADICTION];

/**
 * Expects the order of weights, whatever their exact values. The list runs from the strongest evidence for one thing to
 * the strongest against it, without ties.
 */
export function expectInOrder(list: Weighed[]): void {
  const sorted = [...list].sort(([, a], [, b]) => b - a);
  expect(sorted.map(([what]) => what)).toEqual(list.map(([what]) => what));
  expect(new Set(list.map(([, points]) => points)).size).toBe(list.length);
}
