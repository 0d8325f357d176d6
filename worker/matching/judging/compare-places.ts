import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import type { PlaceSize } from '#worker/matching/lexicon/lexicon-types.ts';
import { type PlaceMention, type PlaceReading, placesAround, regionOf } from '#worker/matching/reading/read-places.ts';
import { allowedEdits, boundedEditDistance } from '#worker/matching/words/word-index.ts';
import { CONTRADICTION, capitalise, type Evidence, NO_EVIDENCE, reasonOf, withoutReason } from './evidence.ts';

const EARTH_KM_PER_DEGREE = 111.2;
/** Points if the shared place is very large. Few points, because very many posts are about Dar es Salaam. */
const BIG_PLACE_POINTS = 0.36;
const SAME_PLACE_POINTS: Record<PlaceSize, number> = { spot: 0.62, town: 0.57, region: 0.52, district: 0.5 };
/** Points if one post names a place inside the other post's place, by the size of the outer place. */
const INSIDE_SPOT_POINTS = 0.55;
const INSIDE_DISTRICT_POINTS = 0.4;
const INSIDE_POINTS = 0.5;
/** Points if one post names a region and the other a town in it. No evidence, as a region has many towns. */
const TOWN_INSIDE_POINTS = 0;
/** Points for two different places, by the distance between the places. */
const NEIGHBOURING = { belowKm: 3, points: 0.36 };
const NEARBY = { belowKm: 4.5, points: 0.15 };
const WITHIN_REACH = { belowKm: 13, points: 0 };
const HARDLY_WITHIN_REACH = { belowKm: 25, points: -0.4 };
const FAR = { belowKm: 60, points: -0.8 };
const ON_THE_WAY_POINTS = 0.35;
/**
 * Points if the place of one post lies between the two ends of a route in the other post. The detour is the length of
 * the route by way of the place, divided by the direct distance between the ends.
 */
const BETWEEN_POINTS = 0.2;
const LONGEST_DETOUR = 1.15;
/** Points for two routes that share only one end, such as "Dar to Mbeya" and "Dar to Arusha". */
const OTHER_ROUTE_POINTS = 0.1;
/**
 * Points if the locations share a word that is in no word list. FURTHER_WORD_POINTS is for posts that also agree on a
 * known place.
 */
const SAME_UNKNOWN_WORD_POINTS = 0.5;
const FURTHER_WORD_POINTS = 0.1;
/** Points if both locations consist of unknown words, and share none. */
const NOTHING_SHARED_POINTS = -0.15;
const SAME_NAME_POINTS = 0.35;

type Closeness = { points: number; place: string | null };

/** Compares the places where the thing was lost and found. */
export function comparePlaces(lost: PlaceReading, found: PlaceReading): Evidence {
  const [left, right] = [innermost(lost.said), innermost(found.said)];
  const word = sharedWord(lost.words, found.words);
  let best = closest(left, right);
  if (best === null || best.points < ON_THE_WAY_POINTS) {
    const onTheWay = closest(left, found.named) ?? { points: 0, place: null };
    const backOnTheWay = closest(lost.named, right) ?? { points: 0, place: null };
    const way = onTheWay.points >= backOnTheWay.points ? onTheWay : backOnTheWay;
    if (way.points >= ON_THE_WAY_POINTS) best = { points: ON_THE_WAY_POINTS, place: way.place };
  }
  if (best !== null && best.points < BETWEEN_POINTS && (isBetween(left, right) || isBetween(right, left))) {
    return withoutReason(BETWEEN_POINTS);
  }
  if (best === null) {
    if (word !== null) return placeEvidence(SAME_UNKNOWN_WORD_POINTS, capitalise(word));
    const isUnknown = ({ isGiven, said }: PlaceReading): boolean => isGiven && said.length === 0;
    return isUnknown(lost) && isUnknown(found) ? withoutReason(NOTHING_SHARED_POINTS) : NO_EVIDENCE;
  }
  if (best.points < 0) {
    // If both locations contain the same name, such as a name that exists in several towns, or the same unknown word,
    // they are probably one place.
    const name =
      lost.names.find((a) => found.names.includes(a)) ??
      (isAlone(lost) || isAlone(found) ? namesake(left, right) : undefined);
    if (name !== undefined) return placeEvidence(SAME_NAME_POINTS, capitalise(name));
  }
  if (best.points < 0 && (isGuessed(lost, left) || isGuessed(found, right)))
    return withoutReason(NOTHING_SHARED_POINTS);
  if (best.points <= 0) return withoutReason(best.points);
  if (isOtherRoute(left, right)) return withoutReason(OTHER_ROUTE_POINTS);
  const label = best.place === null ? null : (getLexicon().places.get(best.place)?.name ?? null);
  return placeEvidence(best.points + (word === null ? 0 : FURTHER_WORD_POINTS), label, best.place);
}

/**
 * Whether every place was recognised only after correcting a typing error. The author may really have meant places that
 * are in no list.
 */
function isGuessed({ guessed }: PlaceReading, mentions: PlaceMention[]): boolean {
  return mentions.flat().every((id) => guessed.includes(id));
}

/** Whether the location names one place without the town or region around it. */
function isAlone({ said, names }: PlaceReading): boolean {
  const { places } = getLexicon();
  const around = said.flat().flatMap((id) => placesAround(id).slice(1));
  return said.length === 1 && !around.some((id) => names.includes(places.get(id)?.name.toLowerCase() ?? ''));
}

/**
 * Returns a place name that is in both locations, even if the lexicon has places with this name in several towns, such
 * as "Mnazi Mmoja".
 */
function namesake(left: PlaceMention[], right: PlaceMention[]): string | undefined {
  const { places } = getLexicon();
  const names = (mentions: PlaceMention[]): string[] => mentions.flat().flatMap((id) => places.get(id)?.name ?? []);
  const others = names(right);
  return names(left).find((a) => others.some((b) => a === b || a.startsWith(`${b} `) || b.startsWith(`${a} `)));
}

function placeEvidence(points: number, label: string | null, place: string | null = null): Evidence {
  const agreed = place === null ? [] : [`place ${place}`];
  return { points, reasons: label === null ? [] : [reasonOf('place', label)], agreed };
}

/** Drops places that contain another place of the post: in "Kariakoo, Dar es Salaam" only Kariakoo remains. */
function innermost(mentions: PlaceMention[]): PlaceMention[] {
  return mentions.filter(
    (mention) =>
      !mentions.some(
        (other) =>
          other !== mention &&
          other.some((id) =>
            placesAround(id)
              .slice(1)
              .some((around) => mention.includes(around)),
          ),
      ),
  );
}

/** Whether the place is near the route between the two ends. Hai is near the route "between Moshi and Arusha". */
function isBetween(ends: PlaceMention[], [at, ...others]: PlaceMention[]): boolean {
  const [from, to] = ends;
  if (ends.length !== 2 || others.length > 0 || from?.length !== 1 || to?.length !== 1 || at === undefined)
    return false;
  const km = (a: string | undefined, b: string): number => distanceKm(a ?? '', b) ?? Number.NaN;
  return at.some((id) => km(from[0], id) + km(to[0], id) <= km(from[0], to[0] ?? '') * LONGEST_DETOUR);
}

/** Whether each post names a route between two regions, and the routes share only one end. */
function isOtherRoute(left: PlaceMention[], right: PlaceMention[]): boolean {
  const regions = (mentions: PlaceMention[]): Set<string> =>
    new Set(mentions.flatMap((ids) => ids.slice(0, 1)).map(regionOf));
  const [from, to] = [regions(left), regions(right)];
  if (from.size !== 2 || to.size !== 2) return false;
  return [...from].filter((region) => to.has(region)).length === 1;
}

function closest(left: PlaceMention[], right: PlaceMention[]): Closeness | null {
  let best: Closeness | null = null;
  for (const a of left.flat()) {
    for (const b of right.flat()) {
      const found = closeness(a, b);
      if (best === null || found.points > best.points) best = found;
    }
  }
  return best;
}

function closeness(a: string, b: string): Closeness {
  const { places } = getLexicon();
  if (a === b) return { points: samePoints(a), place: a };
  const [around, inside] = placesAround(b).includes(a) ? [a, b] : placesAround(a).includes(b) ? [b, a] : [null, null];
  if (around !== null) return { points: containedPoints(around, inside), place: around };
  const km = distanceKm(a, b);
  const shared = placesAround(a).find((id) => placesAround(b).includes(id)) ?? null;
  const area = shared !== null && places.get(shared)?.size === 'spot' ? shared : null;
  if (km === null) return { points: regionOf(a) === regionOf(b) ? 0 : CONTRADICTION, place: null };
  if (km < NEIGHBOURING.belowKm) return { points: NEIGHBOURING.points, place: area };
  if (km < NEARBY.belowKm) return { points: NEARBY.points, place: area };
  if (km < WITHIN_REACH.belowKm) return { points: WITHIN_REACH.points, place: null };
  const reach = [HARDLY_WITHIN_REACH, FAR].find(({ belowKm }) => km < belowKm);
  return { points: reach?.points ?? CONTRADICTION, place: null };
}

function samePoints(id: string): number {
  const place = getLexicon().places.get(id);
  return place?.isBig ? BIG_PLACE_POINTS : SAME_PLACE_POINTS[place?.size ?? 'spot'];
}

function containedPoints(around: string, inside: string): number {
  const { places } = getLexicon();
  const outer = places.get(around);
  if (outer?.size === 'spot') return INSIDE_SPOT_POINTS;
  if (outer?.size === 'district') return INSIDE_DISTRICT_POINTS;
  if (outer?.isBig) return BIG_PLACE_POINTS;
  return places.get(inside)?.size === 'town' ? TOWN_INSIDE_POINTS : INSIDE_POINTS;
}

function distanceKm(a: string, b: string): number | null {
  const { places } = getLexicon();
  const [left, right] = [places.get(a), places.get(b)];
  if (left?.latitude == null || left.longitude == null || right?.latitude == null || right.longitude == null)
    return null;
  return Math.hypot(left.latitude - right.latitude, left.longitude - right.longitude) * EARTH_KM_PER_DEGREE;
}

function sharedWord(left: string[], right: string[]): string | null {
  const isAlike = (a: string, b: string): boolean => {
    const limit = Math.min(allowedEdits(a.length), 1);
    return boundedEditDistance(a, b, limit) <= limit;
  };
  return left.find((a) => right.some((b) => isAlike(a, b))) ?? null;
}
