import { DAY_MS } from '#contract/durations.ts';
import type { Reason } from '#worker/matching/lexicon/word-reasons.ts';
import type { DayRange } from '#worker/matching/reading/read-dates.ts';
import type { Identifier } from '#worker/matching/reading/read-identifiers.ts';
import { boundedEditDistance } from '#worker/matching/words/word-index.ts';
import { CONTRADICTION, type Evidence, NO_EVIDENCE, reasonOf, withoutReason } from './evidence.ts';

const IDENTIFIER_POINTS = 2.4;
const ENDING_POINTS = 0.9;
const OTHER_NUMBER_POINTS = -4;
/** Points for different IMEIs: weak evidence, as a phone for two SIM cards has two IMEIs (with one model code). */
const OTHER_IMEI_POINTS = -0.4;
const MODEL_CODE_DIGITS = 8;
/**
 * From this length on, one typing error in an identifier is accepted. Shorter identifiers, such as plates, are too
 * similar to each other.
 */
const LONG_IDENTIFIER = 9;
/**
 * A beginning or an end of an identifier is compared only from this length on. Fewer characters may agree by chance.
 */
const SHORTEST_PART = 3;
/** Used instead of SHORTEST_PART if the text does not say that the number is only a beginning or an end. */
const SHORTEST_UNMARKED_PART = 4;
/**
 * People remember dates wrongly by a day or two. The date of the find may therefore be up to this many days before the
 * date of the loss.
 */
const DATE_TOLERANCE_DAYS = 2;
/** Dates up to one day apart count as the same: a thing lost in the evening may be found the next morning. */
const ONE_DAY = 1;
const SAME_DAY_POINTS = 0.15;
const SAME_AMOUNT_POINTS = 0.4;
/** Points for different sums of money in a thing, such as a purse: weak evidence, as few people count this money. */
const OTHER_AMOUNT_POINTS = -0.4;

/** Compares IMEIs, plates, card and document numbers. */
export function compareIdentifiers(lost: Identifier[], found: Identifier[]): Evidence {
  if (areOtherPlates(lost, found)) return withoutReason(OTHER_NUMBER_POINTS);
  let contradicts: number | null = null;
  for (const a of lost) {
    for (const b of found) {
      const likeness = identifierLikeness(a, b);
      if (likeness === 'same' || likeness === 'ending') {
        const points = likeness === 'same' ? IDENTIFIER_POINTS : ENDING_POINTS;
        return { points, reasons: [reasonOf('number', `…${a.tail}`)] };
      }
      if (likeness === 'different') contradicts = Math.min(contradicts ?? 0, otherPoints(a, b));
    }
  }
  return contradicts === null ? NO_EVIDENCE : withoutReason(contradicts);
}

/**
 * Returns the points for two different identifiers. A person has only one NIDA number and a vehicle only one plate, so
 * a difference outweighs everything that agrees.
 */
function otherPoints(a: Identifier, b: Identifier): number {
  if (a.kind === 'imei' && b.kind === 'imei') {
    const isOneModel = a.folded.slice(0, MODEL_CODE_DIGITS) === b.folded.slice(0, MODEL_CODE_DIGITS);
    return isOneModel ? OTHER_IMEI_POINTS : OTHER_NUMBER_POINTS;
  }
  return a.kind === 'nida' || a.kind === 'plate' ? OTHER_NUMBER_POINTS : CONTRADICTION;
}

/**
 * Whether the vehicles' plates differ. If they do, a serial number that both posts share is only the vehicles' model
 * number.
 */
function areOtherPlates(lost: Identifier[], found: Identifier[]): boolean {
  const [left, right] = [lost, found].map((list) =>
    list.filter(({ kind }) => kind === 'plate').map(({ folded }) => folded),
  );
  if (!left?.length || !right?.length) return false;
  return !left.some((plate) => right.some((other) => isSamePlate(plate, other)));
}

/** Whether two plates are equal, or one lacks only the last letter of the other, which may be worn off. */
function isSamePlate(a: string, b: string): boolean {
  return Math.abs(a.length - b.length) <= 1 && (a.startsWith(b) || b.startsWith(a));
}

function identifierLikeness(a: Identifier, b: Identifier): 'same' | 'ending' | 'different' | 'unlike' {
  if (a.kind === 'beginning' || b.kind === 'beginning') {
    const [beginning, whole] = a.kind === 'beginning' ? [a, b] : [b, a];
    if (whole.kind === 'ending' || beginning.folded.length < SHORTEST_PART) return 'unlike';
    return whole.folded.startsWith(beginning.folded) || beginning.folded.startsWith(whole.folded)
      ? 'ending'
      : 'different';
  }
  if (a.kind === 'ending' || b.kind === 'ending') {
    const [ending, whole] = a.kind === 'ending' ? [a, b] : [b, a];
    if (ending.folded.length < SHORTEST_PART) return 'unlike';
    if (whole.folded.endsWith(ending.folded) || ending.folded.endsWith(whole.folded)) return 'ending';
    return whole.kind === 'plate' ? 'unlike' : 'different';
  }
  if (a.folded === b.folded) return 'same';
  const isPlate = a.kind === 'plate' || b.kind === 'plate';
  if (isPlate && isSamePlate(a.folded, b.folded)) return 'ending';
  const isLong = !isPlate && Math.min(a.folded.length, b.folded.length) >= LONG_IDENTIFIER;
  if (isLong && boundedEditDistance(a.folded, b.folded, 1) <= 1) return 'same';
  if (isLong && (a.folded.endsWith(b.folded) || b.folded.endsWith(a.folded))) return 'same';
  if (!isPlate && isOneEndOf(a.folded, b.folded)) return 'ending';
  const isSameSort = a.kind === b.kind || (!isPlate && a.folded.length === b.folded.length);
  return isSameSort ? 'different' : 'unlike';
}

/**
 * Whether one number is the beginning or the end of the other, without leading zeros: people often give only some of
 * the digits.
 */
function isOneEndOf(a: string, b: string): boolean {
  const [short, long] = [a, b].map((folded) => folded.replace(/^0+/, '')).sort((x, y) => x.length - y.length);
  if (short === undefined || long === undefined || short.length < SHORTEST_UNMARKED_PART) return false;
  return long.endsWith(short) || long.startsWith(short);
}

export function compareAmounts(lost: number[], found: number[], isMoney: boolean): Evidence {
  if (lost.length === 0 || found.length === 0) return NO_EVIDENCE;
  const shared = lost.find((amount) => found.includes(amount));
  if (shared === undefined) return withoutReason(isMoney ? CONTRADICTION : OTHER_AMOUNT_POINTS);
  return { points: SAME_AMOUNT_POINTS, reasons: [reasonOf('detail', `TSh ${shared.toLocaleString('en')}`)] };
}

export function compareDays(lost: DayRange | null, found: DayRange | null): Evidence {
  if (lost === null || found === null) return NO_EVIDENCE;
  if (found.last < lost.first - DATE_TOLERANCE_DAYS) return withoutReason(CONTRADICTION);
  const isOneDay = lost.first === lost.last && found.first === found.last;
  if (!isOneDay || Math.abs(found.first - lost.first) > ONE_DAY) return NO_EVIDENCE;
  return { points: SAME_DAY_POINTS, reasons: [dayReason(found.first)] };
}

function dayReason(day: number): Reason {
  return { kind: 'date', day: new Date(day * DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length) };
}
