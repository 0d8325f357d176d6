import * as z from 'zod/mini';
import { optionalTextSchema } from './fields.ts';
import { PHOTO_ALT_MAX_CHARS } from './limits.ts';

/** The accepted media types of an upload. The Worker reads the actual format from the bytes. */
export const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;

/** A post's photo as stored: an upright WebP without metadata. */
export const photoSchema = z.object({
  id: z.string(),
  /**
   * The paths of the picture and its thumbnail. Nobody can guess the paths. For a post in a community, the paths expire
   * within two hours: reload the post to get new paths.
   */
  url: z.string(),
  thumbnail_url: z.string(),
  /** The size of the picture at `url` in pixels. The thumbnail has the same aspect ratio. */
  width: z.number(),
  height: z.number(),
  /** The author's description of the picture; may be empty. */
  alt: z.string(),
});
export type Photo = z.infer<typeof photoSchema>;

const altSchema = optionalTextSchema({ max: PHOTO_ALT_MAX_CHARS });

/** The query of `POST /api/posts/{id}/photos`, whose body is the picture itself. */
export const newPhotoQuerySchema = z.object({ alt: altSchema });

/** The body of `PATCH /api/posts/{id}/photos/{photoId}`: omitted fields stay unchanged. */
export const photoChangeSchema = z.object({
  alt: z.optional(altSchema),
  /**
   * The new position, from 0. The photos between the old and the new position move by one. A position beyond the last
   * photo is refused with 422.
   */
  position: z.optional(z.int({ error: 'position_invalid' }).check(z.nonnegative({ error: 'position_invalid' }))),
});
export type PhotoChange = z.infer<typeof photoChangeSchema>;
