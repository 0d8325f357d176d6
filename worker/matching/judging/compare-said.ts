import { kinship } from '#worker/matching/lexicon/thing-relations.ts';
import type { Detail } from '#worker/matching/reading/read-details.ts';
import { isSameWord } from './compare-details.ts';
import type { Evidence } from './evidence.ts';
import { withoutReason } from './evidence.ts';

/** How much a detail tells that both mention, by its kind; a colour or a make is weighed by itself besides. */
const WEIGHTS: Record<string, number> = {
  thing: 0.8,
  word: 0.8,
  attribute: 0.6,
  brand: 0.6,
  number: 0.5,
  colour: 0.4,
  concept: 0.4,
};
const SHARED_POINTS = 0.45;
const MOST_SHARED = 3;
/** Two people who both say much of one thing agree in something: what it costs when they do not. */
const UNSHARED_POINTS = -0.17;
/** Of what the one who says less says; so much is said of anything, and more than so much changes nothing. */
const LEAST_SAID = 1;
const MOST_SAID = 3;

/** All that the two say of the thing, in whatever words: what both mention speaks for them, and that nothing is against. */
export function compareSaid(lost: Detail[], found: Detail[]): Evidence {
  const { shared, said } = overlapOf(lost, found);
  const expected = Math.max(Math.min(said, MOST_SAID) - LEAST_SAID, 0);
  return withoutReason(Math.min(shared, MOST_SHARED) * SHARED_POINTS + expected * UNSHARED_POINTS);
}

/** How much both say, and how much the one says who says less. */
export function overlapOf(lost: Detail[], found: Detail[]): { shared: number; said: number } {
  const [left, right] = [distinct(lost), distinct(found)];
  return { shared: sharedWeight(left, right), said: Math.min(weightOf(left), weightOf(right)) };
}

function sharedWeight(left: Detail[], right: Detail[]): number {
  const free = new Set(right);
  let weight = 0;
  for (const detail of left) {
    const twin = [...free].find((other) => isSameDetail(detail, other));
    if (twin === undefined) continue;
    free.delete(twin);
    weight += Math.min(weightOf([detail]), weightOf([twin]));
  }
  return weight;
}

function weightOf(details: Detail[]): number {
  return details.reduce((sum, detail) => sum + Math.max(...detail.map((key) => WEIGHTS[split(key)[0]] ?? 0)), 0);
}

function distinct(details: Detail[]): Detail[] {
  return [...new Map(details.map((detail) => [detail.join(), detail])).values()];
}

export function isSameDetail(a: Detail, b: Detail): boolean {
  return a.some((left) => b.some((right) => left === right || isAlike(left, right)));
}

function isAlike(left: string, right: string): boolean {
  const [[kind, a], [other, b]] = [split(left), split(right)];
  if (kind !== other) return false;
  return kind === 'thing' ? kinship(a, b) !== 'none' : kind === 'word' && isSameWord(a, b);
}

function split(key: string): [kind: string, id: string] {
  const at = key.indexOf(' ');
  return [key.slice(0, at), key.slice(at + 1)];
}
