/** What is kept of a photo: each is an object in the bucket and an address, named by the photo's id and its own end. */
export const RENDITIONS = {
  photo: { end: '.webp', type: 'image/webp' },
  thumbnail: { end: '-thumbnail.webp', type: 'image/webp' },
  /** For whoever shows a link to the post. */
  og: { end: '-og.jpg', type: 'image/jpeg' },
} as const;
export type Rendition = keyof typeof RENDITIONS;

export const OG_WIDTH_PX = 1200;
export const OG_HEIGHT_PX = 630;
export const OG_MAX_BYTES = 250_000;

/** The object's key, and the last part of its address. */
export function fileNameOf(photoId: string, rendition: Rendition): string {
  return photoId + RENDITIONS[rendition].end;
}

export function fileNamesOf(photoId: string): string[] {
  return (Object.keys(RENDITIONS) as Rendition[]).map((rendition) => fileNameOf(photoId, rendition));
}

const FILE_NAME = /^([0-9a-f-]{36}?)((?:-[a-z]+)?\.[a-z]+)$/;

/** Null for what no photo is called. */
export function parseFileName(name: string): { photoId: string; rendition: Rendition } | null {
  const [, photoId, end] = FILE_NAME.exec(name) ?? [];
  const [rendition] = Object.entries(RENDITIONS).find(([, one]) => one.end === end) ?? [];
  return photoId && rendition ? { photoId, rendition: rendition as Rendition } : null;
}
