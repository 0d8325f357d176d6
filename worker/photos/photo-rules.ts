import type { Photo } from '#contract/photos.ts';
import { signAddress } from './photo-address.ts';
import { fileNameOf, type Rendition } from './renditions.ts';

type StoredPhoto = { id: string; width: number; height: number; alt: string; has_og: 0 | 1 };

/** For whom photos are shown. */
type Shown = {
  /** Of the post (posts/visibility.ts): null for everybody, else a name that is part of the signed addresses. */
  audience: string | null;
  /** Signs the addresses. */
  key: string;
  /** Makes what the reader may see of a description. */
  redact: (text: string) => string;
};

/** The photos of a post, in order. @param photos as `PHOTOS_OF_POST` reads them. */
export function presentPhotos(photos: string, { audience, key, redact }: Shown, now = Date.now()): Photo[] {
  return readPhotos(photos).map(({ id, width, height, alt }) => {
    const signature = audience === null ? '' : signAddress(key, { photoId: id, audience }, now);
    return {
      id,
      url: addressOf(id, 'photo') + signature,
      thumbnail_url: addressOf(id, 'thumbnail') + signature,
      width,
      height,
      alt: redact(alt),
    };
  });
}

/**
 * The path of the picture for link previews: the first photo as a JPEG of 1200×630; null if there is none for everybody.
 * @param photos as `PHOTOS_OF_POST` reads them.
 */
export function findOgPicture(photos: string, audience: string | null): string | null {
  const [first] = readPhotos(photos);
  return first?.has_og === 1 && audience === null ? addressOf(first.id, 'og') : null;
}

function readPhotos(photos: string): StoredPhoto[] {
  return JSON.parse(photos) as StoredPhoto[];
}

function addressOf(photoId: string, rendition: Rendition): string {
  return `/photos/${fileNameOf(photoId, rendition)}`;
}
