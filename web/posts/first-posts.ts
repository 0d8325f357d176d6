import type { QueryClient } from '@tanstack/react-query';
import { FIRST_POSTS_ID, type FirstPosts } from '#contract/first-posts.ts';
import { readFilter } from '#web/lib/post-filter.ts';
import { postListOptions } from '#web/lib/post-list-query.ts';
import { getSession } from '#web/lib/session.ts';

/**
 * Takes over the posts that came in the page, once, as if they had been asked for when they were read. They are a
 * visitor's: whoever is signed in asks for their own.
 * @returns whether there were any, so that the page shows the first of them as cards.
 */
export function takeFirstPosts(client: QueryClient): boolean {
  const element = typeof document === 'undefined' ? null : document.getElementById(FIRST_POSTS_ID);
  element?.remove();
  const posts = getSession() === null ? read(element) : null;
  if (!posts) return false;
  const { queryKey } = postListOptions(null, readFilter(new URLSearchParams()));
  // A page that comes back from the browser's history may be older than what was read since; a phone's clock may be slow.
  const updatedAt = Math.min(Date.parse(posts.at), Date.now());
  if ((client.getQueryState(queryKey)?.dataUpdatedAt ?? 0) > updatedAt) return false;
  const page = { posts: posts.entries.map(({ Post }) => Post), nextCursor: posts.next_cursor };
  client.setQueryData(queryKey, { pages: [page], pageParams: [''] }, { updatedAt });
  return true;
}

/** A page that was cut off on its way has half of it. */
function read(element: HTMLElement | null): FirstPosts | null {
  try {
    // The Worker is taken at its word here as in api-client.ts: that it keeps to the contract, its own tests see to.
    return element && (JSON.parse(element.textContent) as FirstPosts);
  } catch {
    return null;
  }
}
