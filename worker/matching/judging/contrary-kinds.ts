import type { PostKind } from '#contract/posts.ts';
import { isContainer } from '#worker/matching/lexicon/thing-relations.ts';
import { readKind } from '#worker/matching/reading/read-kind.ts';
import type { PostReading } from '#worker/matching/reading/read-post.ts';
import { closestHeads } from './compare-items.ts';
import { haveThingInCommon } from './compare-things.ts';

/** The kinds that the two posts are put under: their authors' choice, else what the texts say. */
export type Kinds = { lost: PostKind; found: PostKind };

export function readKinds(lost: PostReading, found: PostReading): Kinds {
  return { lost: readKind(lost), found: readKind(found) };
}

/**
 * Whether the two posts are put under different kinds and their texts do not explain why. Texts explain it when both name
 * the thing ("a phone and keys", "keys and a phone"), or when one is about a bag and the other about what was in it. A kind
 * that an author chose against the text is explained by a bag alone.
 */
export function haveContraryKinds(lost: PostReading, found: PostReading, kinds: Kinds): boolean {
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
