/** Removes from this phone what was kept for a person whose account is gone: drafts, posts seen and posts that waited. */
export function forgetPerson(userId: string): void {
  for (const key of Object.keys(localStorage)) if (key.includes(userId)) localStorage.removeItem(key);
}
