import { withPhotos } from './with-photos.ts';

/** Removes from this phone what was kept for a person whose account is gone: drafts, posts seen, and posts and photos that waited. */
export function forgetPerson(userId: string): void {
  void withPhotos(({ forgetPhotos }) =>
    forgetPhotos((photo) => photo.userId === userId || photo.place.includes(userId)),
  );
  for (const key of Object.keys(localStorage)) if (key.includes(userId)) localStorage.removeItem(key);
}
