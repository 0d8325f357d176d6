/**
 * Seen posts can be fetched again (offline/seen-posts.ts), so they are deleted to make room for what the user wrote.
 */
export const SEEN_POSTS_PREFIX = 'seenPosts:';

/** Stores what the user wrote. @returns false if the phone's storage is full or forbidden. */
export function keepOnPhone(key: string, text: string): boolean {
  return store(key, text) || (forgetSeenPosts() && store(key, text));
}

/** Deletes seen posts. @param own the key that stays. @returns whether there were any. */
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
