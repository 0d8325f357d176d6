import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { type Kinship, kinship } from '#worker/matching/lexicon/thing-relations.ts';
import { type Detail, ONE_OF_SEVERAL } from '#worker/matching/reading/read-details.ts';
import type { Feature } from '#worker/matching/reading/read-features.ts';
import type { PostReading } from '#worker/matching/reading/read-post.ts';
import { compareAttributes, compareColours } from './compare-items.ts';
import { comparePartCounts, isSameWord } from './compare-parts.ts';
import { addEvidence, type Evidence, NO_EVIDENCE, withoutReason } from './evidence.ts';

/**
 * How strong a shared detail is as evidence, by its kind. Colours and makes of the lost thing also count in
 * `compareQualities`.
 */
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
/**
 * Points for each detail that two posts about one thing are expected to share, whether they share it or not. A detail
 * that they share also gets SHARED_POINTS, which outweigh these points.
 */
const UNSHARED_POINTS = -0.17;
/**
 * The number of shared details that are expected: the smaller of the two posts' sums of detail weights, at most
 * MOST_SAID, minus LEAST_SAID.
 */
const LEAST_SAID = 1;
const MOST_SAID = 3;

const REPEATING: ReadonlySet<Kinship> = new Set(['same', 'near']);

/** A detail prepared for many comparisons. Its `things` and `words` also match similar things and words. */
type ReadyDetail = { keys: string[]; weight: number; things: string[]; words: string[] };

/** A cache, because one post is compared with a hundred candidates. */
const readyByDetails = new WeakMap<Detail[], ReadyDetail[]>();

/**
 * Compares all details of the two posts. Shared details are evidence for the match, few shared details are evidence
 * against it.
 * @param seen the keys of the thing's colour and make (as in `Detail`). Shared details with these keys count as `look`,
 * because similar things of other people have them too.
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

function isSameDetail(a: Detail, b: Detail): boolean {
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

/** Removes details that repeat an earlier one: money, coins and "rent money" count once. */
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

/** Pairs every detail with the first equal detail of the other post. Each detail is used only once. */
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

/**
 * Points if one post says that a part is missing, and the other post mentions the part. A small deduction, because
 * somebody may have removed the part in the meantime.
 */
const DENIED_POINTS = -0.8;
const BOTH_DENY_POINTS = 0.3;

/** Matches the keys of lexicon entries that themselves mean a missing part, such as "lid missing". */
const MISSING = /g:(?:without|no|missing) | missing$/;
const BROKEN =
  /^(?:attribute|concept) (?:g:)?(?:broken|cut|cracked|torn|bent|removed|missing|detached|broken off|come off|missing-part)\b/;

/**
 * Compares what the posts say is missing. "No horns" contradicts "long horns". The same part missing in both posts is
 * evidence for the match.
 */
export function compareDenied(lost: PostReading, found: PostReading): Evidence {
  const [left, right] = [deniedBy(lost, found), deniedBy(found, lost)];
  const bothDeny = left.some((a) => right.some((b) => isSameDetail(unmarked(a), unmarked(b))));
  if (bothDeny) return withoutReason(BOTH_DENY_POINTS);
  return withoutReason(isSaidBy(found, left) || isSaidBy(lost, right) ? DENIED_POINTS : 0);
}

/**
 * Returns the details that the thing lacks according to the post. In "the passenger went off without his crutch", the
 * crutch is the lost thing itself and is omitted.
 */
function deniedBy(post: PostReading, other: PostReading): Detail[] {
  const own = [...post.heads, ...other.heads].flatMap(({ ids }) => ids.map((id) => `thing ${id}`));
  return post.denied.filter((detail) => !detail.some((key) => own.includes(key)));
}

/** Whether the post mentions a part of the thing, although the other post says that this part is missing. */
function isSaidBy({ details }: PostReading, denied: Detail[]): boolean {
  const isThere = (at: number): boolean => !isOfMissing(details[at]) && !isBroken(details[at + 1]);
  return denied.some((a) => !a.includes(ONE_OF_SEVERAL) && details.some((b, at) => isSameDetail(a, b) && isThere(at)));
}

function unmarked(detail: Detail): Detail {
  return detail.filter((key) => key !== ONE_OF_SEVERAL);
}

/** Whether a detail says that the part before it is broken off: "aerial broken off" agrees with "without an aerial". */
function isBroken(detail: Detail = []): boolean {
  return detail.some((key) => BROKEN.test(key));
}

function isOfMissing(detail: Detail = []): boolean {
  return detail.some((key) => MISSING.test(key));
}

/**
 * Points if the posts answer a question such as "long or short?" differently. The deduction is small, because a part
 * may be long and the whole thing short.
 */
const OPPOSITE_POINTS = -0.7;
const MOST_OPPOSED_POINTS = -1;

/**
 * For each post, one number per question of `opposites`: bit n is set if the post gives answer n. A cache, as one post
 * is compared with a hundred candidates.
 */
const answersByPost = new WeakMap<PostReading, number[]>();

/**
 * Compares the answers to questions such as "big or small?". A question that the two posts answer differently is
 * evidence against the match.
 */
export function compareOpposites(lost: PostReading, found: PostReading): Evidence {
  const [left, right] = [answersOf(lost), answersOf(found)];
  let opposed = 0;
  for (const [question, answers] of left.entries()) {
    const others = right[question] ?? 0;
    if (answers !== 0 && others !== 0 && (answers & others) === 0) opposed += 1;
  }
  return withoutReason(Math.max(opposed * OPPOSITE_POINTS, MOST_OPPOSED_POINTS));
}

function answersOf(post: PostReading): number[] {
  let known = answersByPost.get(post);
  if (known === undefined) {
    const ofThing = post.heads.flatMap(({ attributes }) => [...attributes].map((id) => [`attribute ${id}`]));
    const said = [...post.details, ...ofThing];
    known = getLexicon().opposites.map((answers) => said.reduce((bits, detail) => bits | answerOf(detail, answers), 0));
    answersByPost.set(post, known);
  }
  return known;
}

/**
 * Returns, as a bit, which of a question's answers the detail gives; 0 for none. The first key that is an answer
 * decides, because the keys of "no horns" also include the word for horns.
 */
function answerOf(detail: Detail, answers: ReadonlyArray<ReadonlySet<string>>): number {
  for (const key of detail) {
    const at = answers.findIndex((answer) => answer.has(key));
    if (at >= 0) return 1 << at;
  }
  return 0;
}

/** Qualities of a feature (such as hair or a stone on the thing) are weaker evidence than those of the thing itself. */
const FEATURE_SHARE = 0.8;
/** Points for equal and for different names on a feature or beside it, such as a club's name on a tag. */
const SAME_NAME_POINTS = 0.2;
const OTHER_NAME_POINTS = -0.9;
const LEAST_POINTS = -1;
const MOST_FEATURE_POINTS = 0.4;

/**
 * Compares features such as hair or a stone: their names, colours, qualities and counts. Of features that are things,
 * compares only the names, because `compareParts` compares the rest.
 */
export function compareFeatures(lost: Feature[], found: Feature[]): Evidence {
  const used = new Set<Feature>();
  const compared = lost.flatMap((a) => {
    const b = found.find((other) => !used.has(other) && isSameDetail(a.keys, other.keys));
    if (b === undefined) return [];
    used.add(b);
    const names = compareNames(a.names, b.names);
    if (a.isThing && b.isThing) return [names];
    return [
      names,
      compareColours(a.colours, b.colours, false),
      compareAttributes(a.attributes, b.attributes),
      comparePartCounts(a, b),
    ];
  });
  const points = addEvidence(compared.flat()).points * FEATURE_SHARE;
  return withoutReason(Math.min(MOST_FEATURE_POINTS, Math.max(LEAST_POINTS, points)));
}

/** Compares names on features: a Chelsea lanyard is not an Arsenal lanyard. */
function compareNames(lost: string[], found: string[]): Evidence {
  if (lost.length === 0 || found.length === 0) return NO_EVIDENCE;
  const isShared = lost.some((a) => found.some((b) => isSameWord(a, b)));
  return withoutReason(isShared ? SAME_NAME_POINTS : OTHER_NAME_POINTS);
}
