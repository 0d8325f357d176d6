import { sql } from 'drizzle-orm';
import { HOUR_MS } from '#contract/durations.ts';
import type { Photo } from '#contract/photos.ts';
import type { Db } from '#worker/db/client.ts';
import { queryFirst, rowOf } from '#worker/db/statements.ts';
import { posts } from '#worker/db/tables/posts.ts';
import { fingerprint, isSameText } from '#worker/identity/digests.ts';

type StoredPhoto = { id: string; width: number; height: number; alt: string; has_og: 0 | 1 };

/** The readers to whom photos are shown, and how to show the photos to them. */
type Shown = {
  /**
   * Who may see the photos (conditions/posts.ts): null for everybody; otherwise the name of a group, for which the
   * photos' URLs are signed.
   */
  audience: string | null;
  key: string;
  /** Redacts a photo's description (`alt`) for these readers. */
  redact: (text: string) => string;
};

/** Presents a post's photos, in order. @param photos as `PHOTOS_OF_POST` reads them. */
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
 * Returns the path of the picture for link previews, the first photo as a JPEG of 1200×630; null if no photo is public.
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

type Granted = { photoId: string; audience: string };

/**
 * Returns the query of a signed URL, valid for one to two hours. The query changes only every hour, so browsers can
 * cache the photo.
 */
export function signAddress(key: string, granted: Granted, now: number): string {
  const expires = (Math.floor(now / HOUR_MS) + 2) * HOUR_MS;
  return `?${new URLSearchParams({ expires: String(expires), signature: sign(key, granted, String(expires)) })}`;
}

/** Whether the query was signed for this audience and has not expired. */
export function isGranted(key: string, granted: Granted, query: Record<string, string>, now: number): boolean {
  const { expires = '', signature = '' } = query;
  return isSameText(signature, sign(key, granted, expires)) && now < Number(expires);
}

function sign(key: string, { photoId, audience }: Granted, expires: string): string {
  return fingerprint(key, 'photo', `${photoId} ${expires} ${audience}`);
}

/**
 * The stored versions of a photo. Each is an object in the bucket and has a URL that ends with the photo's id and a
 * suffix.
 */
export const RENDITIONS = {
  photo: { end: '.webp', type: 'image/webp' },
  thumbnail: { end: '-thumbnail.webp', type: 'image/webp' },
  /** The picture for link previews. */
  og: { end: '-og.jpg', type: 'image/jpeg' },
} as const;
export type Rendition = keyof typeof RENDITIONS;

export const OG_WIDTH_PX = 1200;
export const OG_HEIGHT_PX = 630;
export const OG_MAX_BYTES = 250_000;

/** Returns the key of a photo's object in the bucket. The key is also the last part of the object's URL. */
export function fileNameOf(photoId: string, rendition: Rendition): string {
  return photoId + RENDITIONS[rendition].end;
}

export function fileNamesOf(photoId: string): string[] {
  return (Object.keys(RENDITIONS) as Rendition[]).map((rendition) => fileNameOf(photoId, rendition));
}

const FILE_NAME = /^([0-9a-f-]{36}?)((?:-[a-z]+)?\.[a-z]+)$/;

/** Parses the key of a photo's object in the bucket; null if no photo can have this key. */
export function parseFileName(name: string): { photoId: string; rendition: Rendition } | null {
  const [, photoId, end] = FILE_NAME.exec(name) ?? [];
  const [rendition] = Object.entries(RENDITIONS).find(([, one]) => one.end === end) ?? [];
  return photoId && rendition ? { photoId, rendition: rendition as Rendition } : null;
}

/** Expression on a post `p`: its photos as JSON, in order. */
export const PHOTOS_OF_POST = sql.raw(`(
  select json_group_array(json_object('id', h.id, 'width', h.width, 'height', h.height, 'alt', h.alt, 'has_og', h.has_og)
    order by h.position) from photos h where h.post_id = p.id)`);

const servedRow = rowOf(posts, 'id', 'kind', 'hidden_by', 'away_since', 'community_id');

/** Reads the post of a photo, with the columns that decide who sees its photos (conditions/posts.ts). */
export async function findPostOfPhoto(db: Db, photoId: string) {
  const row = await queryFirst(db, servedRow)`
    select p.id, p.kind, p.hidden_by, p.away_since, p.community_id
    from photos h cross join posts p on p.id = h.post_id where h.id = ${photoId}`;
  return row;
}
