import type { Photo } from '#contract/photos.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { signAddress } from './photo-address.ts';
import { fileNameOf, type Rendition } from './renditions.ts';

/** What of a post says who its photos are for, and the photos themselves as `PHOTOS_OF_POST` reads them. */
export type PhotographedPost = {
  author_id: string;
  community_id: string | null;
  kind: string | null;
  hidden_by: number;
  away_since: number | null;
  photos: string;
};
type StoredPhoto = { id: string; width: number; height: number; alt: string; has_og: 0 | 1 };

/** Who reads, and the key that signs what they are given. */
export type Asker = { viewer: Viewer | null; config: { keys: { photo: string } } };

/**
 * For whom a post's photos are: null for everybody, else those who are given signed addresses, which are good until it is
 * for others. Whoever sees a post sees its photos, but for a document's: they are its author's alone, until the sweep deletes
 * them.
 */
export function audienceOf(post: Omit<PhotographedPost, 'photos' | 'author_id'>): string | null {
  if (post.kind === 'document') return 'author';
  if (post.hidden_by !== 0 || post.away_since !== null) return 'who sees it all the same';
  return post.community_id === null ? null : `community ${post.community_id}`;
}

/** The photos of a post that this person sees, in their order. */
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

/** The path of the picture that is shown with a link to the post: its first photo's, JPEG, 1200×630; null where there is none for everybody. */
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
