import type { Post } from '#contract/posts.ts';

/**
 * Whether a loaded post holds what is being typed, while the server's own answer is on its way: every word, in any
 * case, in the title, the owner's names or the location (docs/product.md S4).
 */
export function matchesTyped(post: Post, typed: string): boolean {
  const text = [post.title, post.owner_first_name, post.owner_last_name, post.location].join('\n').toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
