import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import type { PlaceMention, PlaceReading } from '#worker/matching/reading/read-places.ts';
import { placesAround, regionOf } from '#worker/matching/reading/read-places.ts';
import { boundedEditDistance } from '#worker/matching/words/edit-distance.ts';
import type { Evidence } from './evidence.ts';
import { against, CONTRADICTION, NO_EVIDENCE } from './evidence.ts';

const EARTH_KM_PER_DEGREE = 111.2;
const ON_THE_WAY_POINTS = 0.35;
const SAME_UNKNOWN_WORD_POINTS = 0.5;
/** Sharing Dar es Salaam says little. */
const BIG_PLACE_POINTS = 0.36;

/** Two buses out of Dar es Salaam. */
const OTHER_ROUTE_POINTS = 0.1;

type Closeness = { points: number; place: string | null };

/** Where it was lost and where it was found. */
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
  if (best === null) {
    return word === null ? NO_EVIDENCE : placeEvidence(SAME_UNKNOWN_WORD_POINTS, capitalise(word));
  }
  if (best.points <= 0) return against(best.points);
  if (isOtherRoute(left, right)) return against(OTHER_ROUTE_POINTS);
  const label = best.place === null ? null : (getLexicon().places.get(best.place)?.name ?? null);
  return placeEvidence(best.points + (word === null ? 0 : 0.1), label);
}

function placeEvidence(points: number, label: string | null): Evidence {
  return { points, reasons: label === null ? [] : [{ kind: 'place', en: label, sw: label }] };
}

/** "Kariakoo, Dar es Salaam" is Kariakoo: what merely lies around another mention says nothing more. */
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

/** Both name a way from region to region, and the ways have only one end in common. */
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
  if (a === b) return { points: sizePoints(a), place: a };
  const [around, inside] = placesAround(b).includes(a) ? [a, b] : placesAround(a).includes(b) ? [b, a] : [null, null];
  if (around !== null) return { points: containedPoints(around, inside), place: around };
  const km = distanceKm(a, b);
  const shared = placesAround(a).find((id) => placesAround(b).includes(id)) ?? null;
  const area = shared !== null && places.get(shared)?.size === 'spot' ? shared : null;
  if (km === null) return { points: regionOf(a) === regionOf(b) ? 0 : CONTRADICTION, place: null };
  if (km < 3) return { points: 0.36, place: area ?? a };
  if (km < 4.5) return { points: 0.15, place: area };
  if (km < 13) return { points: 0, place: null };
  return { points: km < 25 ? -0.5 : CONTRADICTION, place: null };
}

function sizePoints(id: string): number {
  const place = getLexicon().places.get(id);
  if (place?.isBig) return BIG_PLACE_POINTS;
  if (place?.size === 'district') return 0.5;
  return place?.size === 'region' ? 0.52 : place?.size === 'town' ? 0.57 : 0.62;
}

function containedPoints(around: string, inside: string): number {
  const { places } = getLexicon();
  const outer = places.get(around);
  if (outer?.size === 'spot') return 0.55;
  if (outer?.size === 'district') return 0.4;
  if (outer?.isBig) return BIG_PLACE_POINTS;
  return places.get(inside)?.size === 'town' ? 0 : 0.5;
}

export function distanceKm(a: string, b: string): number | null {
  const { places } = getLexicon();
  const [left, right] = [places.get(a), places.get(b)];
  if (left?.latitude == null || left.longitude == null || right?.latitude == null || right.longitude == null)
    return null;
  return Math.hypot(left.latitude - right.latitude, left.longitude - right.longitude) * EARTH_KM_PER_DEGREE;
}

function sharedWord(left: string[], right: string[]): string | null {
  return (
    left.find((a) => right.some((b) => boundedEditDistance(a, b, a.length < 5 ? 0 : 1) <= (a.length < 5 ? 0 : 1))) ??
    null
  );
}

function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
