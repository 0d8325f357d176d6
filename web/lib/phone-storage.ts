/**
 * Seen posts are in local storage under keys with this prefix (offline/seen-posts.ts). If the storage is full, a draft
 * may replace seen posts, because the server can send the posts again.
 */
export const SEEN_POSTS_PREFIX = 'seenPosts:';

/** Stores the user's input, such as a draft. @returns false if the phone's storage is full or forbidden. */
export function keepOnPhone(key: string, text: string): boolean {
  return store(key, text) || (forgetSeenPosts() && store(key, text));
}

/** Deletes seen posts. @param own the key that is not deleted. @returns whether any were deleted. */
export function forgetSeenPosts(own = ''): boolean {
  const isToGo = (key: string) => key.startsWith(SEEN_POSTS_PREFIX) && key !== own;
  const keys = Object.keys(localStorage).filter(isToGo);
  for (const key of keys) localStorage.removeItem(key);
  return keys.length > 0;
}

function store(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
