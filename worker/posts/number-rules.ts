import type { Post } from '#contract/posts.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import type { PostRow } from './post-columns.ts';

/** Who is shown a post: the viewer, and the key that signs photo addresses for them. */
export type Asker = { viewer: Viewer | null; config: { keys: { photo: string } } };

/** The posts, by `seq`, whose number the reader may see today, and when the next day begins, in milliseconds. */
export type GivenNumbers = { has: (seq: number) => boolean; opensAt: number | null };

export const NO_NUMBERS: GivenNumbers = { has: () => false, opensAt: null };
export const ALL_NUMBERS: GivenNumbers = { has: () => true, opensAt: null };

/**
 * Decides whether a post's phone number is shown (docs/product.md V11 to V13). Visitors never see one, and nobody sees
 * that of a post whose author is contacted by claims. Notices and claims have rules of their own (`toContact`, `areNumbersShown`).
 */
export function presentContact(
  row: PostRow,
  viewer: Viewer | null,
  numbers: GivenNumbers,
): Pick<Post, 'phone_number' | 'is_contact_limited' | 'contact_opens_at'> {
  const isMine = row.author_id === viewer?.userId;
  if (viewer === null || (row.contact === 'claim' && !isMine))
    return { phone_number: null, is_contact_limited: false, contact_opens_at: null };
  const isGiven = isMine || numbers.has(row.seq);
  if (isGiven) return { phone_number: row.phone_number, is_contact_limited: false, contact_opens_at: null };
  const opensAt = numbers.opensAt === null ? null : new Date(numbers.opensAt).toISOString();
  return { phone_number: null, is_contact_limited: true, contact_opens_at: opensAt };
}
