/** The stored versions of a photo. Each is an object in the bucket and has an address: the photo's id and a suffix. */
export const RENDITIONS = {
  photo: { end: '.webp', type: 'image/webp' },
  thumbnail: { end: '-thumbnail.webp', type: 'image/webp' },
  /** For link previews. */
  og: { end: '-og.jpg', type: 'image/jpeg' },
} as const;
export type Rendition = keyof typeof RENDITIONS;

export const OG_WIDTH_PX = 1200;
export const OG_HEIGHT_PX = 630;
export const OG_MAX_BYTES = 250_000;

/** The object's key, which is also the last part of its address. */
export function fileNameOf(photoId: string, rendition: Rendition): string {
  return photoId + RENDITIONS[rendition].end;
}

export function fileNamesOf(photoId: string): string[] {
  return (Object.keys(RENDITIONS) as Rendition[]).map((rendition) => fileNameOf(photoId, rendition));
}

const FILE_NAME = /^([0-9a-f-]{36}?)((?:-[a-z]+)?\.[a-z]+)$/;

/** Null for a name that no photo can have. */
export function parseFileName(name: string): { photoId: string; rendition: Rendition } | null {
  const [, photoId, end] = FILE_NAME.exec(name) ?? [];
  const [rendition] = Object.entries(RENDITIONS).find(([, one]) => one.end === end) ?? [];
  return photoId && rendition ? { photoId, rendition: rendition as Rendition } : null;
}
