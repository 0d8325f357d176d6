import type { PostKind } from '#contract/kinds.ts';
import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import type { Thing } from '#worker/matching/lexicon/lexicon-types.ts';
import { widerThings } from '#worker/matching/lexicon/thing-relations.ts';
import type { ItemMention } from './item-mention.ts';
import { type MatchablePost, type PostReading, readPost } from './read-post.ts';

/** Returns the category of a post: the category of the first thing that the post names. */
export function readKind({ heads, titleThings }: PostReading): PostKind {
  const ids = heads[0]?.ids ?? titleThings;
  return ids.map(kindOfThing).find((kind) => kind !== null) ?? 'other';
}

/** Returns the category of a thing; null for "other". */
export function kindOfThing(id: string): PostKind | null {
  const thing = getLexicon().things.get(id);
  return thing?.isOfGlossary ? kindOfGlossed(thing) : kindOfKnown(id);
}

/**
 * Returns the category of a thing that only the lexicon's glossary contains: the category of its wider thing. If there
 * is no wider thing, returns "animal" for an animal. For other things, returns the category that all things in `near`
 * share, or null.
 */
function kindOfGlossed({ isAnimal, near, parent }: Thing): PostKind | null {
  if (parent !== null) return kindOfKnown(parent);
  const [kind = null, ...others] = isAnimal ? ['animal' as const] : new Set([...near].map(kindOfKnown));
  return others.length === 0 ? kind : null;
}

function kindOfKnown(id: string): PostKind | null {
  const { things } = getLexicon();
  return (
    widerThings(id)
      .map((wide) => things.get(wide)?.postKind ?? null)
      .find((kind) => kind !== null) ?? null
  );
}

/** Whether the post's text is about a phone or a SIM card. */
export function isPhoneOrSim(post: MatchablePost): boolean {
  const { heads, titleThings } = readPost(post);
  return heads.length > 0 ? heads.some(isReachedByNumber) : titleThings.some(isPhone);
}

/**
 * Whether a call to the lost thing's own phone number rings the thing: a phone or a SIM card. The words "SIM card"
 * alone are read as a card (`ids`) of a phone (`of`).
 */
function isReachedByNumber({ ids, of }: ItemMention): boolean {
  return ids.some((id) => isPhone(id) || widerThings(id).includes('sim-card') || (id === 'card' && of.has('phone')));
}

function isPhone(id: string): boolean {
  return widerThings(id).includes('phone');
}
