import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { closestKinship, isContainer, widerThings } from '#worker/matching/lexicon/thing-relations.ts';
import { mentionsOf } from '#worker/matching/reading/item-mention.ts';
import { kindOfThing } from '#worker/matching/reading/read-kind.ts';
import type { PostReading } from '#worker/matching/reading/read-post.ts';

/** Words, from the beginning of the title on. */
const DESCRIBED_WITHIN = 8;
const LIKENESS = /^(?:like|thing|kitu|kifaa|kama|chombo|mfano|something|sort|kind)$/;
const THING_KEY = 'thing ';

/**
 * A phone and a bunch of keys, a hen and a rooster: each side has one plain word for one thing, the two are of different
 * kinds, and neither speaks of the other's. Nothing that agrees besides makes them one, unless one may hold the other.
 */
export function areSurelyOther(lost: PostReading, found: PostReading): boolean {
  const [a, b] = [sureHead(lost), sureHead(found)];
  if (a === null || b === null || isContainer(a) || isContainer(b)) return false;
  const [kind, other] = [kindOfThing(a), kindOfThing(b)];
  if (kind === null || other === null || (kind === other && kind !== 'animal')) return false;
  return !speaksOf(lost, a, b) && !speaksOf(found, b, a);
}

/** The one thing of the title, where its word means nothing else and describes nothing. */
function sureHead(post: PostReading): string | null {
  const [head, ...others] = post.heads;
  const [id, ...otherIds] = head?.ids ?? [];
  if (id === undefined || others.length + otherIds.length > 0) return null;
  const isTitled = post.titleThings.some((named) => widerThings(id).includes(named));
  const isSure = isTitled && !isDescribed(post) && !getLexicon().things.get(id)?.isOfGlossary;
  return isSure ? id : null;
}

/** "Kuku" is said of hens and of roosters: what is only wider than the post's own thing does not speak of another. */
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

/** Who does not know the word says what it is like. */
export function isDescribed({ text }: PostReading): boolean {
  return text.slice(0, DESCRIBED_WITHIN).some((word) => LIKENESS.test(word));
}
