import type { StoredPost } from '#worker/posts/index.ts';
import { widerThings } from './lexicon/thing-relations.ts';
import type { ItemMention } from './reading/item-mention.ts';
import { readPost } from './reading/read-post.ts';

/** Whether the post is about a phone or a SIM, as far as its text says. */
export function isPhoneOrSim(post: StoredPost): boolean {
  const { heads, titleThings } = readPost(post);
  return heads.length > 0 ? heads.some(isReachedByNumber) : titleThings.some(isPhone);
}

/** "SIM card" is read as the card of a phone where no maker says more. */
function isReachedByNumber({ ids, of }: ItemMention): boolean {
  return ids.some((id) => isPhone(id) || widerThings(id).includes('sim-card') || (id === 'card' && of.has('phone')));
}

function isPhone(id: string): boolean {
  return widerThings(id).includes('phone');
}
