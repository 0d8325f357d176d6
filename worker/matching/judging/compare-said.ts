import { type Kinship, kinship } from '#worker/matching/lexicon/thing-relations.ts';
import type { Detail } from '#worker/matching/reading/read-details.ts';
import { isSameWord } from './compare-details.ts';
import type { Evidence } from './evidence.ts';
import { withoutReason } from './evidence.ts';

/** How much a detail tells that both mention, by its kind; a colour or a make is weighed by itself besides. */
const WEIGHTS: Record<string, number> = {
  thing: 0.65,
  word: 0.7,
  attribute: 0.8,
  brand: 0.7,
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

const REPEATING: ReadonlySet<Kinship> = new Set(['same', 'near']);

/** A detail, made ready to be compared with many: words and things also meet what is only like them. */
type ReadyDetail = { keys: string[]; weight: number; things: string[]; words: string[] };

/** One post is compared with a hundred. */
const readyByDetails = new WeakMap<Detail[], ReadyDetail[]>();

/**
 * All that the two say of the thing, in whatever words: what both mention speaks for them, and that nothing is against.
 * @param seen the details that its colour and make are, as `Detail` spells them: what anything that looks like it has too.
 */
export function compareSaid(lost: Detail[], found: Detail[], seen: string[]): { look: Evidence; said: Evidence } {
  const [left, right] = [ready(lost), ready(found)];
  const said = Math.min(weightOf(left), weightOf(right));
  const shared = sharedDetails(left, right);
  const ofLook = shared.filter(({ detail }) => detail.keys.some((key) => seen.includes(key)));
  const look = Math.min(sumOf(ofLook), MOST_SHARED);
  const all = Math.min(sumOf(shared), MOST_SHARED);
  const expected = Math.max(Math.min(said, MOST_SAID) - LEAST_SAID, 0);
  return {
    look: withoutReason(look * SHARED_POINTS),
    said: withoutReason((all - look) * SHARED_POINTS + expected * UNSHARED_POINTS),
  };
}

export function isSameDetail(a: Detail, b: Detail): boolean {
  return isSame(makeReady(a), makeReady(b));
}

function ready(details: Detail[]): ReadyDetail[] {
  let known = readyByDetails.get(details);
  if (known === undefined) {
    const distinct = new Map(details.map((detail) => [detail.join(), detail]));
    known = withoutRepeats([...distinct.values()].map(makeReady));
    readyByDetails.set(details, known);
  }
  return known;
}

/** Money, coins and the rent are one thing said three times. */
function withoutRepeats(details: ReadyDetail[]): ReadyDetail[] {
  const isRepeated = ([thing]: string[], before: ReadyDetail[]): boolean =>
    thing !== undefined &&
    before.some(({ things: [other] }) => other !== undefined && REPEATING.has(kinship(thing, other)));
  return details.filter(({ things }, at) => !isRepeated(things, details.slice(0, at)));
}

function areKin(a: string[], b: string[]): boolean {
  return a.some((left) => b.some((right) => kinship(left, right) !== 'none'));
}

function makeReady(keys: Detail): ReadyDetail {
  const after = (kind: string): string[] =>
    keys.flatMap((key) => (key.startsWith(kind) ? [key.slice(kind.length)] : []));
  const weight = Math.max(0, ...keys.map((key) => WEIGHTS[key.slice(0, key.indexOf(' '))] ?? 0));
  return { keys, weight, things: after('thing '), words: after('word ') };
}

type SharedDetail = { detail: ReadyDetail; weight: number };

/** Every detail meets one of the other side, the first that is the same. */
function sharedDetails(left: ReadyDetail[], right: ReadyDetail[]): SharedDetail[] {
  const used = new Set<ReadyDetail>();
  const shared: SharedDetail[] = [];
  for (const detail of left) {
    const twin = right.find((other) => !used.has(other) && isSame(detail, other));
    if (twin === undefined) continue;
    used.add(twin);
    shared.push({ detail, weight: Math.min(detail.weight, twin.weight) });
  }
  return shared;
}

function sumOf(shared: SharedDetail[]): number {
  return shared.reduce((sum, { weight }) => sum + weight, 0);
}

function isSame(a: ReadyDetail, b: ReadyDetail): boolean {
  for (const key of a.keys) if (b.keys.includes(key)) return true;
  if (areKin(a.things, b.things)) return true;
  for (const left of a.words) for (const right of b.words) if (isSameWord(left, right)) return true;
  return false;
}

function weightOf(details: ReadyDetail[]): number {
  let sum = 0;
  for (const { weight } of details) sum += weight;
  return sum;
}
