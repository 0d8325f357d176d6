import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import {
  closestKinship,
  KINSHIP_RANK,
  type Kinship,
  kinship,
  widerThings,
} from '#worker/matching/lexicon/thing-relations.ts';
import type { Reason } from '#worker/matching/lexicon/word-reasons.ts';
import type { ItemMention } from '#worker/matching/reading/item-mention.ts';
import type { Member } from '#worker/matching/reading/read-items.ts';
import type { PostReading } from '#worker/matching/reading/read-post.ts';
import {
  type Aspect,
  CONTRADICTION,
  type Evidence,
  NO_EVIDENCE,
  reasonOf,
  sharedOf,
  withoutReason,
} from './evidence.ts';

const ITEM_POINTS: Record<Kinship, number> = { same: 0.4, near: 0.34, wider: 0.32, none: 0 };
/** Discount for common things such as phones: two posts about a phone are weaker evidence than two about a trumpet. */
const COMMON_DISCOUNT = 0.08;
const COLOUR_POINTS = 0.22;
const NEAR_COLOUR_POINTS = 0.1;
/** Points if the posts share one colour, and each post names another colour that the other post lacks. */
const HALF_COLOUR_POINTS = -0.5;
/**
 * Points if the posts share no colour. The contradiction is not full: what one person calls black, another calls dark
 * blue, and a thing may have several colours.
 */
const OTHER_COLOUR_POINTS = -1.1;
/** Points if only one of the posts names a second colour. */
const PART_COLOUR_POINTS = 0.16;
const PART_COLOUR_POINTS_OF_ANIMALS = 0;
const BRAND_POINTS = 0.1;
/** Only a model number of at least this many characters is compared with the end of a longer model name. */
const SHORTEST_MODEL = 3;
const MODEL_POINTS = 0.2;
const QUALITY_POINTS = 0.08;
const MOST_QUALITY_POINTS = 2 * QUALITY_POINTS;
const COUNT_POINTS = 0.25;
const OTHER_COUNT_POINTS = -1.1;
/**
 * Points if one more thing was found than lost. A small deduction, because the analysis reads "two Yale keys and a
 * small one" as two keys.
 */
const ONE_MORE_POINTS = -0.3;
/**
 * Points if fewer things were found than lost, such as two of four goats. If only the thing and the place agree, the
 * match is then possible, but not sure.
 */
const PART_OF_GROUP_POINTS = -0.6;
const EXCLUSIVE_POINTS: Record<string, number> = { size: -0.55, age: -0.35, 'for whom': -1, 'age of whom': -1 };
const OTHER_EXCLUSIVE_POINTS = -0.75;
/** Points if only one post says what the part belongs to: a plain "chain" is rarely the chain of a bicycle. */
const ONE_SIDED_BELONGING_POINTS = -0.1;
const OTHER_BELONGING_POINTS = -0.3;
const SAME_BELONGING_POINTS = 0.1;
/**
 * Added to the rank of a kinship (how closely two kinds of thing are related) if a colour is shared. Less than the
 * distance between two ranks, so that the closer kinship always wins.
 */
const SAME_COLOUR_RANK = 0.5;

export type HeadPair = { lost: ItemMention; found: ItemMention; kin: Kinship };

/** Returns the lost and the found thing with the closest kinship. */
export function closestHeads(lost: ItemMention[], found: ItemMention[]): HeadPair | null {
  let best: HeadPair | null = null;
  let bestRank = 0;
  for (const a of lost) {
    for (const b of found) {
      const kin = closestKinship(a.ids, b.ids);
      const rank = KINSHIP_RANK[kin] + (sharedOf(a.colours, b.colours).length > 0 ? SAME_COLOUR_RANK : 0);
      if (kin !== 'none' && rank > bestRank) {
        best = { lost: a, found: b, kin };
        bestRank = rank;
      }
    }
  }
  return best;
}

export function compareKinds(pair: HeadPair): Evidence {
  const { things } = getLexicon();
  const shared = pair.lost.ids.find((id) => pair.found.ids.some((other) => kinship(id, other) === pair.kin));
  const thing = things.get(shared ?? '');
  if (thing === undefined) return NO_EVIDENCE;
  const points = ITEM_POINTS[pair.kin] - (thing.isCommon ? COMMON_DISCOUNT : 0);
  return { points, reasons: reasonsOfThing('item', pair.lost.ids, pair.found.ids), agreed: [`thing ${thing.id}`] };
}

/**
 * Returns a reason with the narrowest thing that includes both the lost and the found thing: "licence" for a licence
 * and a driving licence. Returns no reason if no thing includes both.
 */
export function reasonsOfThing(kind: 'item' | 'detail', lost: string[], found: string[]): Reason[] {
  const { things } = getLexicon();
  const pairs = lost.flatMap((a) => found.map((b) => sharedThing(a, b)));
  const [nearest] = pairs.flatMap((id) => (id === null || things.get(id)?.isGroup ? [] : [id]));
  return nearest === undefined ? [] : [{ kind, key: `thing ${nearest}` }];
}

function sharedThing(a: string, b: string): string | null {
  const wider = widerThings(b);
  return widerThings(a).find((id) => wider.includes(id)) ?? null;
}

/**
 * Whether the colour of a thing in one post is the colour of another thing in the other post. In "navy blanket with
 * carrier", "navy" may mean the carrier, so the post does not contradict "red blanket and carrier, the carrier navy".
 */
function isColourOfAnother(pair: HeadPair, lost: ItemMention[], found: ItemMention[]): boolean {
  const isOfOther = (colours: ReadonlySet<string>, heads: ItemMention[], own: ItemMention): boolean =>
    heads.some((head) => head !== own && [...head.colours].some((a) => [...colours].some((b) => isSameColour(a, b))));
  return isOfOther(pair.found.colours, lost, pair.lost) || isOfOther(pair.lost.colours, found, pair.found);
}

/** Compares colour, make, model, count and qualities of the two things. */
export function compareQualities(pair: HeadPair, ofLost: ItemMention[], ofFound: ItemMention[]) {
  const { lost, found } = pair;
  const colour = compareColours(lost.colours, found.colours, isAnimal(lost));
  return {
    colour: colour.points < 0 && isColourOfAnother(pair, ofLost, ofFound) ? NO_EVIDENCE : colour,
    make: compareBrands(lost, found),
    count: compareCounts(lost, found),
    attributes: compareAttributes(lost.attributes, found.attributes),
  } satisfies Partial<Record<Aspect, Evidence>>;
}

export function compareColours(lost: ReadonlySet<string>, found: ReadonlySet<string>, isAnimal: boolean): Evidence {
  if (lost.size === 0 || found.size === 0) return NO_EVIDENCE;
  const alike = [...lost].filter((a) => [...found].some((b) => isSameColour(a, b)));
  if (alike.length > 0) {
    const isLeft = (from: ReadonlySet<string>, to: ReadonlySet<string>): boolean =>
      [...from].some((a) => ![...to].some((b) => isSameColour(a, b) || isNearColour(a, b)));
    const [isLostLeft, isFoundLeft] = [isLeft(lost, found), isLeft(found, lost)];
    if (isLostLeft && isFoundLeft) return withoutReason(HALF_COLOUR_POINTS);
    const partly = isAnimal ? PART_COLOUR_POINTS_OF_ANIMALS : PART_COLOUR_POINTS;
    return {
      points: isLostLeft || isFoundLeft ? partly : COLOUR_POINTS,
      reasons: alike.map((id) => ({ kind: 'colour', key: `colour ${id}` })),
      agreed: alike.map((id) => `colour ${id}`),
    };
  }
  const isNear = [...lost].some((a) => [...found].some((b) => isNearColour(a, b)));
  return withoutReason(isNear ? NEAR_COLOUR_POINTS : OTHER_COLOUR_POINTS);
}

function isSameColour(a: string, b: string): boolean {
  if (a === b) return true;
  const { colours } = getLexicon();
  return colours.get(a)?.parent === b || colours.get(b)?.parent === a;
}

function isNearColour(a: string, b: string): boolean {
  const { colours } = getLexicon();
  return (colours.get(a)?.near.has(b) ?? false) || (colours.get(b)?.near.has(a) ?? false);
}

function compareBrands(lost: ItemMention, found: ItemMention): Evidence {
  if (lost.brands.size === 0 || found.brands.size === 0) return NO_EVIDENCE;
  const shared = sharedOf(lost.brands, found.brands);
  if (shared.length === 0) return withoutReason(CONTRADICTION);
  const reasons = shared.map((brand) => reasonOf('brand', brand));
  const model = compareModels(lost.models, found.models);
  return { points: BRAND_POINTS + model, reasons, agreed: shared.map((brand) => `brand ${brand}`) };
}

function compareModels(lost: ReadonlySet<string>, found: ReadonlySet<string>): number {
  let points = 0;
  for (const aspect of ['series ', 'number ']) {
    const of = (models: ReadonlySet<string>): Set<string> =>
      new Set([...models].filter((model) => model.startsWith(aspect)));
    const [left, right] = [of(lost), of(found)];
    if (left.size === 0 || right.size === 0) continue;
    const pairs = [...left].flatMap((a) => [...right].map((b) => [a, b] as const));
    if (pairs.some(([a, b]) => isSameModel(a, b))) points += MODEL_POINTS;
    else if (pairs.every(([a, b]) => isModel(a) === isModel(b))) points += CONTRADICTION;
  }
  return points;
}

/** Whether the models are equal, as "FX-991" and "991" are. */
function isSameModel(a: string, b: string): boolean {
  const [short = '', long = ''] = [a, b]
    .map((model) => model.replace('number ', ''))
    .sort((x, y) => x.length - y.length);
  return a === b || (short.length >= SHORTEST_MODEL && long.endsWith(short));
}

/**
 * Whether the text is a model, such as F310 in "Yamaha F310". One or two digits may be a count: "Yamaha, nyuzi 5" (5
 * strings).
 */
function isModel(model: string): boolean {
  return /[a-z]|\d{3}/.test(model.replace('number ', ''));
}

/**
 * Compares what two parts belong to: a car's tyre is not a bicycle's. `ofLost` are all things that the lost post names,
 * `ofFound` all things that the found post names.
 */
export function compareBelonging({ lost, found }: HeadPair, ofLost: ItemMention[], ofFound: ItemMention[]): Evidence {
  const [left, right] = [[...lost.of], [...found.of]];
  if (left.length === 0 && right.length === 0) return NO_EVIDENCE;
  if (left.length > 0 && right.length > 0) {
    return withoutReason(closestKinship(left, right) === 'none' ? OTHER_BELONGING_POINTS : SAME_BELONGING_POINTS);
  }
  const [of, others] = left.length > 0 ? [left, ofFound] : [right, ofLost];
  if ([...lost.ids, ...found.ids].some((id) => isUsuallyOf(id, of))) return NO_EVIDENCE;
  const isNamedElsewhere = others.some(
    (other) => closestKinship(of, [...other.ids, ...other.of, ...madeBy(other)]) !== 'none',
  );
  return withoutReason(isNamedElsewhere ? 0 : ONE_SIDED_BELONGING_POINTS);
}

function madeBy(item: ItemMention): string[] {
  return [...item.brands].flatMap((brand) => getLexicon().brands.get(brand)?.makes.slice(0, 1) ?? []);
}

/**
 * Whether the thing usually belongs to one of the things in `of`, as a tyre belongs to a vehicle. A post that mentions
 * only the tyre is then no evidence against a match with a post that also mentions the vehicle.
 */
export function isUsuallyOf(id: string, of: string[]): boolean {
  const usual = getLexicon().things.get(id)?.of ?? new Set<string>();
  return of.some((other) => widerThings(other).some((wide) => usual.has(wide)));
}

export function isAnimal(item: ItemMention): boolean {
  return item.ids.some((id) => getLexicon().things.get(id)?.isAnimal);
}

function compareCounts(lost: ItemMention, found: ItemMention): Evidence {
  if (lost.count === null || found.count === null) return NO_EVIDENCE;
  if (lost.count !== found.count) {
    const isPartOfGroup = found.count < lost.count;
    if (isPartOfGroup) return withoutReason(PART_OF_GROUP_POINTS);
    if (isAnimal(lost)) return withoutReason(CONTRADICTION);
    return withoutReason(lost.count > 1 && found.count === lost.count + 1 ? ONE_MORE_POINTS : OTHER_COUNT_POINTS);
  }
  return withoutReason(lost.count > 1 ? COUNT_POINTS : 0);
}

export function compareAttributes(lost: ReadonlySet<string>, found: ReadonlySet<string>): Evidence {
  const { attributes } = getLexicon();
  const shared = sharedOf(lost, found);
  const reasons = shared.map((id) => ({ kind: 'detail' as const, key: `attribute ${id}` }));
  const groupsOf = (ids: ReadonlySet<string>): Set<string> =>
    new Set([...ids].map((id) => attributes.get(id)).flatMap((known) => (known?.isExclusive ? [known.group] : [])));
  const sharedGroups = new Set(shared.map((id) => attributes.get(id)?.group));
  const clashes = sharedOf(groupsOf(lost), groupsOf(found)).filter((group) => !sharedGroups.has(group));
  const penalty = clashes.reduce((sum, group) => sum + (EXCLUSIVE_POINTS[group] ?? OTHER_EXCLUSIVE_POINTS), 0);
  return { points: Math.min(shared.length * QUALITY_POINTS, MOST_QUALITY_POINTS) + penalty, reasons };
}

const SAME_GROUP_POINTS = 0.3;
/** Points if only some members of the lost group were found. The match is then possible, but not sure. */
const SOME_OF_GROUP_POINTS = -0.3;
/** Points if the found member is not in the lost group: a red hen when black ones and a white one were lost. */
const OTHER_MEMBER_POINTS = -0.8;

/** Compares groups by count, colour and sex: every found member must be one of the lost members. */
export function compareGroups(lost: PostReading, found: PostReading): Evidence {
  if (!isGroup(lost) && !isGroup(found)) return NO_EVIDENCE;
  const [left, right] = [membersOf(lost), membersOf(found)];
  if (left.length === 0 || right.length === 0) return NO_EVIDENCE;
  const free = new Set(left);
  for (const member of right) {
    const twin = [...free].find((other) => isLike(other, member));
    if (twin === undefined) return withoutReason(OTHER_MEMBER_POINTS);
    free.delete(twin);
  }
  return withoutReason(free.size === 0 ? SAME_GROUP_POINTS : SOME_OF_GROUP_POINTS);
}

/**
 * Whether the post is about a group: animals, or a thing with a count above one. "Shoes, one lace white, the other
 * black" is about no group, because only the laces differ.
 */
function isGroup({ members, heads }: PostReading): boolean {
  return members.length > 0 && heads.some((head) => isAnimal(head) || (head.count ?? 1) > 1);
}

/** Returns a group's members. If the post does not split the group, the whole group counts as one member. */
function membersOf({ members, heads }: PostReading): Member[] {
  if (members.length > 0) return members;
  const [head] = heads;
  if (head === undefined || head.colours.size + head.attributes.size === 0) return [];
  return [{ count: head.count ?? 1, colours: head.colours, attributes: head.attributes }];
}

function isLike(lost: Member, found: Member): boolean {
  if (lost.count !== null && found.count !== null && found.count > lost.count) return false;
  const isAlike = compareColours(lost.colours, found.colours, true).points >= 0;
  return isAlike && compareAttributes(lost.attributes, found.attributes).points >= 0;
}
