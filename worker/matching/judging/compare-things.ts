import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { closestKinship, isContainer, widerThings } from '#worker/matching/lexicon/thing-relations.ts';
import { type ItemMention, mentionsOf } from '#worker/matching/reading/item-mention.ts';
import { kindOfThing } from '#worker/matching/reading/read-kind.ts';
import type { PostReading } from '#worker/matching/reading/read-post.ts';
import { closestHeads, compareKinds, type HeadPair, isUsuallyOf, reasonsOfThing } from './compare-items.ts';
import { coincidenceOf } from './compare-names.ts';
import { isSameWord, MOST_WORDS_TOLD } from './compare-parts.ts';
import { CONTRADICTION, type Evidence, reasonOf, sharedOf, withoutReason } from './evidence.ts';

/**
 * A way to read two posts as being about one thing: the mention of the thing in each post, and the evidence from
 * comparing the mentions.
 */
export type ThingMatch = { pair: HeadPair | null; evidence: Evidence };

const SWAPPED_POINTS = 0.5;
const INSIDE_POINTS = 0.35;
/**
 * Points if one post's thing may be in the other post's thing, as a card in a wallet, but nothing else connects the
 * posts.
 */
const UNSURELY_INSIDE_POINTS = -0.2;
const UNKNOWN_POINTS = 0.4;
const RELATED_POINTS = -0.05;
/** Points if only one post names a thing that the lexicon contains, or if neither does. */
const ONE_KNOWN_POINTS = -0.1;
const NEITHER_KNOWN_POINTS = -0.15;
const OTHER_THING_POINTS = -0.5;
/**
 * Points if only one of the things is a document. Fewer points are deducted than for a contradiction, because people
 * may not know a document's name.
 */
const PAPER_OR_OTHER_POINTS = -0.8;
/** Points if one post only describes the thing: "a trumpet-like thing", "kitu kama rimoti". */
const DESCRIBED_POINTS = -0.1;
/** Points for things that are certainly different. Only an equal identifier outweighs them. */
const SURELY_OTHER_POINTS = -4;
/**
 * Points if one thing belongs to the other. A phone's cover is not a phone, even if the cover and the phone are of one
 * model.
 */
const BELONGING_THING_POINTS = -1.1;
/**
 * Points for different things if the lexicon knows one of them only from its glossary (lexicon/glossary): a word of the
 * glossary may mean several things, so both posts may be about one thing.
 */
const OTHER_WORD_POINTS = -0.1;
/**
 * Points for each unit of shared rare text (`Coincidence`), and the maximum. They apply if a thing is unknown or the
 * known things differ, but the posts share too much rare text to be about two things.
 */
const COINCIDENCE_POINTS = 0.3;
const MOST_COINCIDENCE_POINTS = 0.6;
/**
 * How much rare text (`Coincidence`) two posts must share to match although one thing is unknown, or although their
 * known things differ.
 */
const COINCIDENCE_OF_UNKNOWN = 1;
const COINCIDENCE_OF_OTHERS = 2;

/**
 * How many of a post's things (`heads`, from the first on) are compared with those of the other post. The closest pair
 * of things is always compared.
 */
const MOST_HEADS = 3;
/**
 * Returns the ways to read the two posts as being about one thing, the simplest first: both posts name the thing, one
 * names it as a part of another thing, or the posts use different words for the thing. Each way has its own evidence.
 */
export function readingsOfThings(lost: PostReading, found: PostReading, isSurelyOwners: boolean): ThingMatch[] {
  const akin = akinHeads(lost.heads.slice(0, MOST_HEADS), found.heads.slice(0, MOST_HEADS));
  const closest = closestHeads(lost.heads, found.heads);
  if (closest !== null) {
    const others = akin.filter((pair) => pair.lost !== closest.lost || pair.found !== closest.found);
    return [closest, ...others].map((pair) => ({ pair, evidence: compareKinds(pair) }));
  }
  if (areSurelyOther(lost, found)) return [noPair(SURELY_OTHER_POINTS)];
  if (lost.heads.length > 0 && found.heads.length > 0) {
    return [
      swapped(lost, found),
      inside(lost, found, isSurelyOwners),
      coincident(lost, found, COINCIDENCE_OF_OTHERS),
      related(lost, found) ?? otherThings(lost, found),
    ].filter((reading) => reading !== null);
  }
  const word = lost.titleWords.find((a) => found.titleWords.some((b) => isSameWord(a, b)));
  if (word === undefined) {
    return [coincident(lost, found, COINCIDENCE_OF_UNKNOWN), related(lost, found) ?? unknownThings(lost, found)].filter(
      (reading) => reading !== null,
    );
  }
  const unnamed = { lost: lost.unnamed, found: found.unnamed, kin: 'none' as const };
  const isUnknown = lost.heads.length + found.heads.length === 0;
  return [
    { pair: isUnknown ? unnamed : null, evidence: { points: UNKNOWN_POINTS, reasons: [reasonOf('item', word)] } },
  ];
}

/** Whether both posts are about one kind of thing, or one post mentions the thing that the other post is about. */
export function haveThingInCommon(lost: PostReading, found: PostReading): boolean {
  const isAkin = closestHeads(lost.heads, found.heads) !== null || related(lost, found) !== null;
  return isAkin || mentionIn(found, lost.heads) !== null || mentionIn(lost, found.heads) !== null;
}

function akinHeads(lost: ItemMention[], found: ItemMention[]): HeadPair[] {
  return lost.flatMap((a) =>
    found.flatMap((b) => {
      const kin = closestKinship(a.ids, b.ids);
      return kin === 'none' ? [] : [{ lost: a, found: b, kin }];
    }),
  );
}

/** Finds a match if the titles share a word for a thing ("boksi la spana", "set of spanners"). */
function related(lost: PostReading, found: PostReading): ThingMatch | null {
  const heads = [...lost.heads, ...found.heads];
  if (heads.length > 0 && !heads.some(isOfGlossary)) return null;
  const { things } = getLexicon();
  const shared = lost.titleThings.find(
    (id) => !things.get(id)?.isContext && closestKinship([id], found.titleThings) !== 'none',
  );
  if (shared === undefined) return null;
  const reasons = reasonsOfThing('item', [shared], found.titleThings);
  return { pair: looseHeads(lost, found), evidence: { points: RELATED_POINTS, reasons } };
}

/**
 * Returns the match of two posts if the lexicon knows the thing of at most one of them. The things are then almost no
 * evidence, so all other evidence decides.
 */
function unknownThings(lost: PostReading, found: PostReading): ThingMatch {
  const isNeither = lost.heads.length + found.heads.length === 0;
  return {
    pair: looseHeads(lost, found),
    evidence: withoutReason(isNeither ? NEITHER_KNOWN_POINTS : ONE_KNOWN_POINTS),
  };
}

function otherThings(lost: PostReading, found: PostReading): ThingMatch {
  const heads = [...lost.heads, ...found.heads];
  const { things } = getLexicon();
  if (heads.some(isOfGlossary)) return noPair(OTHER_WORD_POINTS);
  const areAnimals = heads.every((head) => head.ids.every((id) => things.get(id)?.isAnimal));
  const areContainers = heads.every(({ ids }) => ids.some(isContainer));
  const areNamed = [lost, found].map((post) => post.heads.some(({ ids }) => ids.some((id) => things.get(id)?.isNamed)));
  if (areAnimals || (areNamed.includes(true) && !areContainers)) {
    return noPair(areAnimals || !areNamed.includes(false) ? CONTRADICTION : PAPER_OR_OTHER_POINTS);
  }
  const isOf = (one: PostReading, other: PostReading): boolean =>
    one.heads.some((head) => other.heads.some((whole) => head.ids.some((id) => isUsuallyOf(id, whole.ids))));
  const belongs = isOf(lost, found) || isOf(found, lost);
  if (!belongs && (isDescribed(lost) || isDescribed(found))) return noPair(DESCRIBED_POINTS);
  return noPair(belongs ? BELONGING_THING_POINTS : OTHER_THING_POINTS);
}

function isOfGlossary(head: ItemMention): boolean {
  return head.ids.every((id) => getLexicon().things.get(id)?.isOfGlossary);
}

function looseHeads(lost: PostReading, found: PostReading): HeadPair {
  return { lost: lost.heads[0] ?? lost.unnamed, found: found.heads[0] ?? found.unnamed, kin: 'none' };
}

/** Finds a match by shared rare text: "Smart yangu, Samsung A14" and "A14 ya mkopa" never say "phone". */
function coincident(lost: PostReading, found: PostReading, needed: number): ThingMatch | null {
  const coincidence = coincidenceOf(lost, found);
  const sum = coincidence.make + coincidence.other;
  if (sum < needed) return null;
  return {
    pair: looseHeads(lost, found),
    evidence: {
      points: Math.min(COINCIDENCE_POINTS * sum, MOST_COINCIDENCE_POINTS),
      reasons: coincidence.words.slice(0, MOST_WORDS_TOLD).map((word) => reasonOf('detail', word)),
    },
  };
}

/** Finds a match if one post is about a bag with a dress in it, the other about a dress in a bag. */
function swapped(lost: PostReading, found: PostReading): ThingMatch | null {
  const one = mentionIn(found, lost.heads);
  const other = mentionIn(lost, found.heads);
  if (one === null || other === null) return null;
  return described({ lost: one.head, found: one.mention, kin: 'same' }, SWAPPED_POINTS);
}

/** Finds a match if one post's thing was in the other's: a wallet with a card was lost, only the card was found. */
function inside(lost: PostReading, found: PostReading, isSurelyOwners: boolean): ThingMatch | null {
  const lostInside = mentionIn(found, lost.heads);
  const foundInside = mentionIn(lost, found.heads);
  const hit = lostInside ?? foundInside;
  if (hit === null) return null;
  const isRestated = hit.mention.role === 'loose' && agreesInLook(hit.head, hit.mention);
  const isCoincident = coincidenceOf(lost, found).other >= COINCIDENCE_OF_UNKNOWN;
  const isOtherShared = sharesOtherPart(lost, found, [hit.head, hit.mention]);
  const isSupported = isSurelyOwners || isRestated || isOtherShared || isCoincident;
  const [left, right] = lostInside === null ? [hit.mention, hit.head] : [hit.head, hit.mention];
  return described({ lost: left, found: right, kin: 'same' }, isSupported ? INSIDE_POINTS : UNSURELY_INSIDE_POINTS);
}

function mentionIn(post: PostReading, heads: ItemMention[]): { head: ItemMention; mention: ItemMention } | null {
  for (const head of heads) {
    const mention = [...post.parts, ...post.setting].find((part) => isSameKind(part, head));
    if (mention !== undefined) return { head, mention };
  }
  return null;
}

function isSameKind(a: ItemMention, b: ItemMention): boolean {
  const kin = closestKinship(a.ids, b.ids);
  return kin === 'same' || kin === 'near' || kin === 'wider';
}

function agreesInLook(a: ItemMention, b: ItemMention): boolean {
  return sharedOf(a.colours, b.colours).length + sharedOf(a.brands, b.brands).length > 0;
}

/**
 * Whether both posts mention the same other thing besides the compared things, such as a red strap, or a screwdriver
 * beside the spanner.
 */
function sharesOtherPart(lost: PostReading, found: PostReading, used: ItemMention[]): boolean {
  const free = (post: PostReading): ItemMention[] =>
    [...post.heads, ...post.parts].filter((item) => !used.includes(item));
  return free(lost).some((a) => free(found).some((b) => isSameKind(a, b) && (agreesInLook(a, b) || isUncommon(a, b))));
}

function isUncommon(a: ItemMention, b: ItemMention): boolean {
  const { things } = getLexicon();
  return a.ids.some((id) => b.ids.includes(id) && !things.get(id)?.isCommon && !things.get(id)?.isNamed);
}

function noPair(points: number): ThingMatch {
  return { pair: null, evidence: withoutReason(points) };
}

function described(pair: HeadPair, points: number): ThingMatch {
  return { pair, evidence: { points, reasons: reasonsOfThing('item', pair.lost.ids, pair.found.ids) } };
}

/**
 * A description by likeness ("something like a trumpet") must begin within this many words from the start of the title.
 */
const DESCRIBED_WITHIN = 8;
const LIKENESS = /^(?:like|thing|kitu|kifaa|kama|chombo|mfano|something|sort|kind)$/;
const THING_KEY = 'thing ';

/**
 * Whether the posts are certainly about different things (a hen and a rooster): each title has one unambiguous word,
 * the words' categories differ, and neither post mentions the other's thing. False if one of the things is a container.
 */
function areSurelyOther(lost: PostReading, found: PostReading): boolean {
  const [a, b] = [sureHead(lost), sureHead(found)];
  if (a === null || b === null || isContainer(a) || isContainer(b)) return false;
  const [kind, other] = [kindOfThing(a), kindOfThing(b)];
  if (kind === null || other === null || (kind === other && kind !== 'animal')) return false;
  return !speaksOf(lost, a, b) && !speaksOf(found, b, a);
}

/**
 * Returns the id of the only thing that the post is about, if the title names this thing. Null if there are several
 * things, if the word may mean several things, or if the title only describes the thing.
 */
function sureHead(post: PostReading): string | null {
  const [head, ...others] = post.heads;
  const [id, ...otherIds] = head?.ids ?? [];
  if (id === undefined || others.length + otherIds.length > 0) return null;
  const isTitled = post.titleThings.some((named) => widerThings(id).includes(named));
  const isSure = isTitled && !isDescribed(post) && !getLexicon().things.get(id)?.isOfGlossary;
  return isSure ? id : null;
}

/**
 * Whether the post mentions `thing` in words that do not also mean the post's own thing. "Kuku" means both hen and
 * rooster, so "kuku" in a post about a hen is no mention of a rooster.
 */
function speaksOf(post: PostReading, own: string, thing: string): boolean {
  const inDetails = post.details
    .flat()
    .flatMap((key) => (key.startsWith(THING_KEY) ? [key.slice(THING_KEY.length)] : []));
  const named = [...mentionsOf(post).flatMap(({ ids, of }) => [...ids, ...of]), ...post.titleThings, ...inDetails];
  const wider = widerThings(own);
  return (
    closestKinship(
      named.filter((id) => !wider.includes(id)),
      [thing],
    ) !== 'none'
  );
}

/** Whether the title describes the thing by likeness, as people do who do not know the word for it. */
function isDescribed({ text }: PostReading): boolean {
  return text.slice(0, DESCRIBED_WITHIN).some((word) => LIKENESS.test(word));
}
