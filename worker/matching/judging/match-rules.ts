import type { PostKind } from '#contract/kinds.ts';
import type { Confidence } from '#contract/posts.ts';
import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { isContainer } from '#worker/matching/lexicon/thing-relations.ts';
import type { Reason } from '#worker/matching/lexicon/word-reasons.ts';
import { type ItemMention, mentionsOf } from '#worker/matching/reading/item-mention.ts';
import { readKind } from '#worker/matching/reading/read-kind.ts';
import type { Person } from '#worker/matching/reading/read-names.ts';
import type { PostReading } from '#worker/matching/reading/read-post.ts';
import type { SlotValue } from '#worker/matching/reading/read-values.ts';
import {
  closestHeads,
  compareBelonging,
  compareGroups,
  compareQualities,
  type HeadPair,
  isAnimal,
} from './compare-items.ts';
import { compareIssuers, compareMakers, compareNamesWithWords, compareOwners } from './compare-names.ts';
import { compareAmounts, compareDays, compareIdentifiers } from './compare-numbers.ts';
import { compareContents, compareParts, compareWords } from './compare-parts.ts';
import { comparePlaces } from './compare-places.ts';
import { compareDenied, compareFeatures, compareOpposites, compareSaid } from './compare-said.ts';
import { haveThingInCommon, readingsOfThings, type ThingMatch } from './compare-things.ts';
import { compareConcepts, compareMeasures, compareValues } from './compare-values.ts';
import { compareWritings } from './compare-writings.ts';
import { type Aspect, addEvidence, CONTRADICTION, type Evidence, NO_EVIDENCE, withoutReason } from './evidence.ts';
import { confidenceOf, probabilityOf, TYPICAL_COMPETITION } from './probability.ts';

export type Judgement = {
  /** Whether the match is sure or possible; null if it is too unlikely to be listed. */
  confidence: Confidence | null;
  /** The probability from 0 to 1 that the two posts are about one thing. */
  score: number;
  reasons: Reason[];
};

/**
 * From FULL_NAME_POINTS on, the names certainly belong to one person. From SAME_NUMBER_POINTS on, the identifiers
 * certainly belong to one thing.
 */
const FULL_NAME_POINTS = 1;
const SAME_NUMBER_POINTS = 2;
const ROAMING_SHARE = 0.5;

/**
 * The highest score of posts of different categories, such as keys and a phone, even if all else agrees. Such a pair is
 * listed, but never sure.
 */
const CONTRARY_KINDS_MAX = 0.5;

/**
 * Judges whether a lost and a found post are about the same thing: the confidence, the score and the reasons.
 * @param competition the other open posts: the more there are, the more evidence is required.
 * @param kinds the categories of the posts; by default those that their texts suggest.
 */
export function judgePair(
  lost: PostReading,
  found: PostReading,
  competition = TYPICAL_COMPETITION,
  kinds = readKinds(lost, found),
): Judgement {
  const aspects = weighPair(lost, found, competition);
  const probability = probabilityOf(aspects, competition);
  const score = haveContraryKinds(lost, found, kinds) ? Math.min(probability, CONTRARY_KINDS_MAX) : probability;
  const { reasons } = addEvidence(Object.values(aspects));
  return { confidence: confidenceOf(score), score, reasons: withoutRepeats(reasons) };
}

/**
 * Returns all evidence for and against a pair, in the order in which users see the reasons. If the posts can be read in
 * several ways, the likeliest way decides.
 */
export function weighPair(lost: PostReading, found: PostReading, competition = TYPICAL_COMPETITION): Aspects {
  const number = compareIdentifiers(lost.identifiers, found.identifiers);
  const weighed = thingsOf(lost, found, number).map((thing) => compareAll({ lost, found, thing, number }));
  const [best = {}, ...others] = weighed;
  if (others.length === 0) return best;
  const scored = weighed.map((aspects) => ({ aspects, score: probabilityOf(aspects, competition) }));
  return scored.reduce((first, next) => (next.score > first.score ? next : first)).aspects;
}

function thingsOf(lost: PostReading, found: PostReading, number: Evidence): ThingMatch[] {
  const isAkin = closestHeads(lost.heads, found.heads) !== null;
  if (number.points >= SAME_NUMBER_POINTS && !isAkin) return [BESIDE_THINGS];
  const isSurelyOwners = compareOwners(lost.persons, found.persons, false).points >= FULL_NAME_POINTS;
  return readingsOfThings(lost, found, isSurelyOwners);
}

/**
 * Replaces the comparison of the things if the posts share a plate or IMEI but name different things. People call one
 * thing by different names, so the identifier decides.
 */
const BESIDE_THINGS: ThingMatch = { pair: null, evidence: NO_EVIDENCE };

type Aspects = Partial<Record<Aspect, Evidence>>;

type Comparison = { lost: PostReading; found: PostReading; thing: ThingMatch; number: Evidence };

function compareAll({ lost, found, thing, number }: Comparison): Aspects {
  const { pair } = thing;
  const owner = compareOwners(
    withoutSaid(lost, found),
    withoutSaid(found, lost),
    isNamed(pair),
    found.parts.some(isNamedItem),
  );
  const used = pair === null ? [] : [pair.lost, pair.found];
  const partsOf = (reading: PostReading) => [...reading.heads, ...reading.parts].filter((part) => !used.includes(part));
  const aspects: Aspects = {
    thing: thing.evidence,
    ...(pair === null ? {} : compareQualities(pair, lost.heads, found.heads)),
    group: compareGroups(lost, found),
    belonging: pair === null ? NO_EVIDENCE : compareBelonging(pair, mentionsOf(lost), mentionsOf(found)),
    owner: owner.points === 0 ? compareNamesWithWords(lost, found) : owner,
    number,
    place: ofRoaming(pair, comparePlaces(lost.places, found.places)),
    parts: compareParts(partsOf(lost), partsOf(found)),
    features: compareFeatures(lost.features, found.features),
    words: compareWords(pair === null || pair.kin === 'none' ? withoutTitle(lost) : lost.words, found.words),
    denied: compareDenied(lost, found),
    contents: compareContents(pair, partsOf(lost), partsOf(found)),
    writing: compareWritings(lost, found),
    issuer: compareIssuers(lost.issuers, found.issuers, isNamed(pair)),
    measures: compareMeasures(lost.measures, found.measures),
    values: compareValues(withSerials(lost), withSerials(found)),
    maker: compareMakers(lost, found),
    concepts: compareConcepts(lost.concepts, found.concepts),
    opposites: compareOpposites(lost, found),
    ...compareSaid(lost.details, found.details, looksOf(pair)),
    amount: compareAmounts(lost.amounts, found.amounts, isMoney(pair)),
    day: compareDays(lost.day, found.day),
  };
  return { ...aspects, thin: compareThin(lost, found, aspects) };
}

/**
 * Halves the negative points for different places if the thing is an animal, which may have walked. The points for
 * another region are not halved.
 */
function ofRoaming(pair: HeadPair | null, place: Evidence): Evidence {
  const isFar = place.points <= CONTRADICTION;
  if (place.points >= 0 || isFar || pair === null || !isAnimal(pair.lost)) return place;
  return { ...place, points: place.points * ROAMING_SHARE };
}

/** Returns the colours, makes and models of the two things, as keys of details (see `Detail`). */
function looksOf(pair: HeadPair | null): string[] {
  if (pair === null) return [];
  const { lost, found } = pair;
  return [
    ...[...lost.colours, ...found.colours].map((id) => `colour ${id}`),
    ...[...lost.brands, ...found.brands].map((id) => `brand ${id}`),
    ...[...lost.models, ...found.models].flatMap((model) => [model, model.replace('number', 'word')]),
  ];
}

/** Returns the thing's values, such as a tag or seat number, and its serial numbers, which are also written on it. */
function withSerials({ values, identifiers }: PostReading): SlotValue[] {
  const serials = identifiers.filter(({ kind }) => kind === 'serial');
  return [...values, ...serials.map(({ folded }) => ({ slot: 'serial' as const, value: folded }))];
}

/**
 * Drops people whose names all occur in the other post's text, but not as names of people: "Lourdes" is a place in "a
 * rosary from Lourdes".
 */
function withoutSaid(post: PostReading, other: PostReading): Person[] {
  const isName = (name: string): boolean => other.persons.some(({ names }) => names.includes(name));
  return post.persons.filter(({ names }) => names.some(isName) || !names.every((name) => other.text.includes(name)));
}

/** Returns the post's unknown words without those of the title, which already count as the thing's name. */
function withoutTitle(reading: PostReading): string[] {
  return reading.words.filter((word) => !reading.titleWords.includes(word));
}

function isNamed(pair: HeadPair | null): boolean {
  return pair !== null && isNamedItem(pair.lost);
}

function isNamedItem({ ids }: ItemMention): boolean {
  return ids.some((id) => getLexicon().things.get(id)?.isNamed);
}

function isMoney(pair: HeadPair | null): boolean {
  return pair?.lost.ids.includes('money') ?? false;
}

function withoutRepeats(reasons: Reason[]): Reason[] {
  return [...new Map(reasons.map((reason) => [JSON.stringify(reason), reason])).values()];
}

/** The posts' categories: chosen by their authors, or else derived from the texts. */
type Kinds = { lost: PostKind; found: PostKind };

function readKinds(lost: PostReading, found: PostReading): Kinds {
  return { lost: readKind(lost), found: readKind(found) };
}

/**
 * Whether the categories differ and the texts do not explain why. The texts explain it if both name the same thing ("a
 * phone and keys", "keys and a phone"), or if one is about a bag and the other about its contents. If an author chose a
 * category that the text does not suggest, only a bag and its contents explain the difference.
 */
function haveContraryKinds(lost: PostReading, found: PostReading, kinds: Kinds): boolean {
  if (kinds.lost === kinds.found || kinds.lost === 'other' || kinds.found === 'other') return false;
  const isBagNamed = [...lost.heads, ...found.heads].some(isOfContainer);
  if (isBagNamed) return !haveThingInCommon(lost, found);
  const read = readKinds(lost, found);
  const isChosen = kinds.lost !== read.lost || kinds.found !== read.found;
  return isChosen || closestHeads(lost.heads, found.heads) === null;
}

function isOfContainer({ ids }: { ids: string[] }): boolean {
  return ids.some(isContainer);
}

/** Aspects that two things of one kind hardly share by chance, unlike look, place or common parts such as a strap. */
const DISTINCTIVE: readonly Aspect[] = [
  'owner',
  'number',
  'writing',
  'issuer',
  'values',
  'measures',
  'words',
  'count',
  'group',
  'amount',
  'said',
  'denied',
  'day',
];
/**
 * Two posts are detailed if each has at least this many details. If a post has fewer, few shared details mean nothing:
 * its author may have had nothing to add.
 */
const MANY_DETAILS = 4;
const THIN_POINTS = -0.35;

/**
 * Returns negative points for two detailed posts that share only the kind, look and place of the thing. Such pairs are
 * listed, but nobody is notified.
 */
export function compareThin(
  lost: PostReading,
  found: PostReading,
  aspects: Partial<Record<Aspect, Evidence>>,
): Evidence {
  if (Math.min(lost.details.length, found.details.length) < MANY_DETAILS) return NO_EVIDENCE;
  const isDistinct = DISTINCTIVE.some((aspect) => (aspects[aspect]?.points ?? 0) > 0);
  return isDistinct ? NO_EVIDENCE : withoutReason(THIN_POINTS);
}
