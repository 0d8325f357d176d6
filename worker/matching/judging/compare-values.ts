import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { type ConceptClass, KIND_BITS } from '#worker/matching/lexicon/lexicon-types.ts';
import type { Dimension, Measure } from '#worker/matching/reading/read-measures.ts';
import type { Slot, SlotValue } from '#worker/matching/reading/read-values.ts';
import { addEvidence, CONTRADICTION, type Evidence, NO_EVIDENCE, reasonOf, withoutReason } from './evidence.ts';

const SAME_MEASURE_POINTS = 0.25;
/**
 * Limits for the ratio of two values (the larger divided by the smaller). Up to SAME_RATIO the values count as equal,
 * up to CLOSE as possibly equal, and up to APART as probably different. A larger ratio contradicts.
 */
const SAME_RATIO = 1.03;
const CLOSE = { ratio: 1.25, points: -0.35 };
const APART = { ratio: 1.4, points: -0.6 };
/** Dimensions that are counted, not measured: even the smallest difference contradicts. */
const COUNTED: Dimension[] = ['strings', 'plates'];
/**
 * Limits for estimates, wider than CLOSE and APART. Estimates are ages, numbers of pages, and values after a word such
 * as "about".
 */
const ESTIMATE = { ratio: 1.7, points: -0.1 };
const APART_ESTIMATE = { ratio: 3, points: -0.8 };
const ESTIMATED: Dimension[] = ['years', 'pages'];
/** Points if the sizes differ by one: somebody may remember the size wrongly. */
const NEXT_SIZE_POINTS = -0.35;

const SAME_VALUE_POINTS = 0.35;
/** Points for the same year. Small, because many things are of the same year. */
const SAME_YEAR_POINTS = SAME_VALUE_POINTS / 2;
/** Values of at least this many characters get more points: two posts rarely share such a value by chance. */
const LONG_VALUE = 3;
/**
 * A code of at least this many characters counts as the same as a longer code that begins with it: people who cannot
 * read all of STL 2291 write "STL 22..".
 */
const SHORTEST_BEGUN = 5;
/**
 * Models such as A12, Hot 30 or RAV4. An equal model already counts as part of the make, so it does not count again as
 * a code.
 */
const MODEL = /^([a-z]+)\d+$/;
const MODEL_KINDS = KIND_BITS.series | KIND_BITS.brand;
const SAME_LONG_VALUE_POINTS = 0.7;
const OTHER_VALUE_POINTS: Partial<Record<Slot, number>> = {
  number: -1.1,
  year: -0.9,
  line: -0.3,
  figures: -0.5,
  initials: -0.8,
  letters: 0,
  side: -0.6,
  dimensions: -1.1,
};
/**
 * Points if two codes have the same letters but other digits, such as the models A14 and A04. Codes with other letters
 * (A14, UDSM 2) are unrelated.
 */
const OTHER_CODE_POINTS = -0.8;
/**
 * Points if the posts have values under different cues (the words before a value), such as "number" in one post and
 * "ear tag" in the other. SAME is for equal values, OTHER for different numbers.
 */
const SAME_UNDER_OTHER_CUE_POINTS = 0.3;
const OTHER_UNDER_OTHER_CUE_POINTS = -0.6;
/** Slots (kinds of value) whose numbers are written on the thing. */
const BORNE: Slot[] = ['number', 'tag', 'jersey', 'room', 'seat', 'plot', 'reference', 'serial'];
/**
 * Slots of values without a cue (a word such as "number" before the value). Their numbers are probably written on the
 * thing if they have SHORTEST_UNCUED digits.
 */
const UNCUED: Slot[] = ['figures', 'code'];
const SHORTEST_UNCUED = 3;

/** Compares measures. For each dimension that both posts have, such as litres, the two closest values are compared. */
export function compareMeasures(lost: Measure[], found: Measure[]): Evidence {
  const dimensions = [...new Set(lost.map((measure) => measure.dimension))];
  const points = dimensions.flatMap((dimension) => {
    const [left, right] = [lost, found].map((list) => list.filter((measure) => measure.dimension === dimension));
    const pairs = (left ?? []).flatMap((a) => (right ?? []).map((b) => measurePoints(a, b)));
    return pairs.length === 0 ? [] : [Math.max(...pairs)];
  });
  return withoutReason(points.reduce((sum, one) => sum + one, 0));
}

function measurePoints(a: Measure, b: Measure): number {
  if (a.dimension === 'size') return sizePoints(Math.abs(a.value - b.value));
  const ratio = Math.max(a.value, b.value) / Math.min(a.value, b.value);
  if (ratio <= SAME_RATIO) return SAME_MEASURE_POINTS;
  if (COUNTED.includes(a.dimension)) return CONTRADICTION;
  const isEstimate = a.isRough || b.isRough || ESTIMATED.includes(a.dimension);
  const [close, apart] = isEstimate ? [ESTIMATE, APART_ESTIMATE] : [CLOSE, APART];
  if (ratio <= close.ratio) return close.points;
  return ratio <= apart.ratio ? apart.points : CONTRADICTION;
}

function sizePoints(difference: number): number {
  if (difference === 0) return SAME_MEASURE_POINTS;
  return difference <= 1 ? NEXT_SIZE_POINTS : CONTRADICTION;
}

/**
 * Compares the values of each slot, a kind of value such as plot, room or year: equal values agree, different ones
 * contradict.
 */
export function compareValues(lost: SlotValue[], found: SlotValue[]): Evidence {
  const isOfBoth = (slot: Slot): boolean => slot !== 'serial' && found.some((value) => value.slot === slot);
  const slots = [...new Set(lost.map(({ slot }) => slot))].filter(isOfBoth);
  const compared = addEvidence(slots.map((slot) => compareSlot(slot, valuesOf(lost, slot), valuesOf(found, slot))));
  return compared.points > 0 ? compared : addEvidence([compared, acrossSlots(lost, found)]);
}

function acrossSlots(lost: SlotValue[], found: SlotValue[]): Evidence {
  const shared = lost.find((a) => a.slot !== 'year' && found.some((b) => b.slot !== a.slot && b.value === a.value));
  return shared === undefined
    ? otherNumbers(lost, found)
    : { points: SAME_UNDER_OTHER_CUE_POINTS, reasons: [reasonOf('detail', shared.value.toUpperCase())] };
}

/** Compares numbers that are written on the things and follow different words: "ear tag 042" and "namba 117". */
function otherNumbers(lost: SlotValue[], found: SlotValue[]): Evidence {
  const [left, right] = [borneOf(lost), borneOf(found)];
  if (left.length === 0 || right.length === 0) return NO_EVIDENCE;
  const isOne = left.some((a) =>
    right.some((b) => a.endsWith(b) || b.endsWith(a) || a.startsWith(b) || b.startsWith(a)),
  );
  return withoutReason(isOne ? 0 : OTHER_UNDER_OTHER_CUE_POINTS);
}

/**
 * Returns the digits of numbers written on the thing. Few digits without a word such as "number" before them may be a
 * price, a size or a model.
 */
function borneOf(values: SlotValue[]): string[] {
  return values.flatMap(({ slot, value }) => {
    const figures = value.replace(/\D/g, '');
    const isBorne = BORNE.includes(slot) || (UNCUED.includes(slot) && figures.length >= SHORTEST_UNCUED);
    return isBorne && figures !== '' ? [figures] : [];
  });
}

function valuesOf(values: SlotValue[], slot: Slot): string[] {
  return values.filter((value) => value.slot === slot).map(({ value }) => value);
}

function compareSlot(slot: Slot, lost: string[], found: string[]): Evidence {
  const shared = lost.find((a) => found.some((b) => isSameValue(slot, a, b)));
  if (shared === undefined) return withoutReason(otherPoints(slot, lost, found));
  if (slot === 'side' || (slot === 'code' && isModel(shared))) return NO_EVIDENCE;
  return { points: samePoints(slot, shared), reasons: [reasonOf('detail', shared.toUpperCase())] };
}

function samePoints(slot: Slot, shared: string): number {
  if (slot === 'year') return SAME_YEAR_POINTS;
  return shared.length >= LONG_VALUE ? SAME_LONG_VALUE_POINTS : SAME_VALUE_POINTS;
}

function isModel(code: string): boolean {
  const letters = MODEL.exec(code)?.[1] ?? '';
  const kinds = getLexicon().vocabulary.get(letters) ?? 0;
  return letters.length === 1 || (kinds & MODEL_KINDS) !== 0;
}

/** Whether two values are the same: class "4B" is also class "4". */
function isSameValue(slot: Slot, a: string, b: string): boolean {
  if (a === b || withoutZeros(a) === withoutZeros(b)) return true;
  if (slot === 'code' && Math.min(a.length, b.length) >= SHORTEST_BEGUN && (a.startsWith(b) || b.startsWith(a)))
    return true;
  return (slot === 'class' || slot === 'form') && (isWithLetter(a, b) || isWithLetter(b, a));
}

function withoutZeros(value: string): string {
  return value.replace(/^0+(?=\d)/, '');
}

function isWithLetter(long: string, short: string): boolean {
  return /^\d+$/.test(short) && long.startsWith(short) && /^[a-z]$/.test(long.slice(short.length));
}

function otherPoints(slot: Slot, lost: string[], found: string[]): number {
  if (slot !== 'code' && slot !== 'reference') return OTHER_VALUE_POINTS[slot] ?? CONTRADICTION;
  const letters = (value: string): string => value.replace(/\d/g, '');
  if (!lost.some((a) => found.some((b) => letters(a) === letters(b)))) return 0;
  return slot === 'code' ? OTHER_CODE_POINTS : CONTRADICTION;
}

/**
 * The points for a concept that both posts mention, by its class. A knot is stronger evidence than a child, and the
 * word "please" is no evidence.
 */
const POINTS: Record<ConceptClass, number> = {
  mark: 0.1,
  event: 0.1,
  body: 0.08,
  person: 0.06,
  place: 0.06,
  action: 0.04,
  other: 0,
};
const MOST_POINTS = 0.2;
const MOST_TOLD = 2;

export function compareConcepts(lost: string[], found: string[]): Evidence {
  const { concepts } = getLexicon();
  const shared = lost.filter((id) => found.includes(id)).flatMap((id) => concepts.get(id) ?? []);
  const telling = shared.filter((concept) => POINTS[concept.class] > 0);
  if (telling.length === 0) return NO_EVIDENCE;
  const { points } = addEvidence(telling.map((concept) => ({ points: POINTS[concept.class], reasons: [] })));
  return {
    points: Math.min(points, MOST_POINTS),
    reasons: telling
      .filter((concept) => concept.class !== 'action')
      .slice(0, MOST_TOLD)
      .map(({ id }) => ({ kind: 'detail', key: `concept ${id}` })),
  };
}
