import * as z from 'zod/mini';
import { PHOTO_ALT_MAX_CHARS } from './limits.ts';
import { optionalTextSchema } from './text.ts';

/** What a picture may come as. Its bytes decide what it is; the type that is sent need only be one of these. */
export const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;

/** A picture of a post, as the server has made it anew: upright WebP without metadata. */
export const photoSchema = z.object({
  id: z.string(),
  /** Paths on our origin that cannot be guessed. A community's last an hour or two; ask for the post again then. */
  url: z.string(),
  thumbnail_url: z.string(),
  /** Of the picture at `url`, in pixels; the thumbnail has the same shape. */
  width: z.number(),
  height: z.number(),
  /** What is in the picture, in its author's words; empty when they gave none. */
  alt: z.string(),
});
export type Photo = z.infer<typeof photoSchema>;

const altSchema = optionalTextSchema({ max: PHOTO_ALT_MAX_CHARS });

/** `POST /api/posts/{id}/photos?alt=…`, whose body is the picture itself. */
export const newPhotoQuerySchema = z.object({ alt: altSchema });

/** The body of `PATCH /api/posts/{id}/photos/{photoId}`: what is left out stays as it is. */
export const photoChangeSchema = z.object({
  alt: z.optional(altSchema),
  /** From 0; the others move up. Beyond the last photo is 422. */
  position: z.optional(z.int({ error: 'position_invalid' }).check(z.nonnegative({ error: 'position_invalid' }))),
});
export type PhotoChange = z.infer<typeof photoChangeSchema>;
