import type { Photo } from '#contract/photos.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { signAddress } from './photo-address.ts';
import { fileNameOf, type Rendition } from './renditions.ts';

/** The columns of a post that decide who may see its photos, and the photos as `PHOTOS_OF_POST` reads them. */
type PhotographedPost = {
  author_id: string;
  community_id: string | null;
  kind: string | null;
  hidden_by: number;
  away_since: number | null;
  photos: string;
};
type StoredPhoto = { id: string; width: number; height: number; alt: string; has_og: 0 | 1 };

/** The viewer, and the key that signs photo addresses for them. */
export type Asker = { viewer: Viewer | null; config: { keys: { photo: string } } };

/**
 * The audience of a post's photos: null for everybody, else a name that is part of the signed addresses, which stop working
 * when it changes. Everybody who sees a post sees its photos, except a document's: only its author does, until the sweep
 * deletes them.
 */
export function audienceOf(post: Omit<PhotographedPost, 'photos' | 'author_id'>): string | null {
  if (post.kind === 'document') return 'author';
  if (post.hidden_by !== 0 || post.away_since !== null) return 'who sees it all the same';
  return post.community_id === null ? null : `community ${post.community_id}`;
}

/** The photos of a post that this viewer may see, in order. */
export function presentPhotos(post: PhotographedPost, { viewer, config }: Asker, now = Date.now()): Photo[] {
  if (post.kind === 'document' && viewer?.userId !== post.author_id) return [];
  const audience = audienceOf(post);
  return readPhotos(post).map(({ id, width, height, alt }) => {
    const signature = audience === null ? '' : signAddress(config.keys.photo, { photoId: id, audience }, now);
    return {
      id,
      url: addressOf(id, 'photo') + signature,
      thumbnail_url: addressOf(id, 'thumbnail') + signature,
      width,
      height,
      alt,
    };
  });
}

/** The path of the picture for link previews: the first photo as a JPEG of 1200×630; null if there is no public one. */
export function findOgPicture(post: PhotographedPost): string | null {
  const [first] = readPhotos(post);
  return first?.has_og === 1 && audienceOf(post) === null ? addressOf(first.id, 'og') : null;
}

function readPhotos({ photos }: PhotographedPost): StoredPhoto[] {
  return JSON.parse(photos) as StoredPhoto[];
}

function addressOf(photoId: string, rendition: Rendition): string {
  return `/photos/${fileNameOf(photoId, rendition)}`;
}
