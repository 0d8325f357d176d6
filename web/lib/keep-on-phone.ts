/** Posts that were seen, which can be had again (seen-posts.ts): what somebody wrote comes first. */
export const SEEN_POSTS_PREFIX = 'seenPosts:';

/** Keeps what somebody wrote. @returns whether it is kept: the phone's storage may be full or forbidden. */
export function keepOnPhone(key: string, text: string): boolean {
  return store(key, text) || (forgetSeenPosts() && store(key, text));
}

/** @param own what is left. @returns whether there were any. */
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
