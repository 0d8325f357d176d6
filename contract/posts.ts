import * as z from 'zod/mini';
import {
  DESCRIPTION_MAX_CHARS,
  LOCATION_MAX_CHARS,
  NAME_MAX_CHARS,
  PAGE_SIZE_DEFAULT,
  PAGE_SIZE_MAX,
  SEARCH_MAX_CHARS,
  TITLE_MAX_CHARS,
} from './limits.ts';
import type { MatchReason } from './matching.ts';
import { contactPhoneSchema } from './phone.ts';
import { optionalTextSchema, textSchema } from './text.ts';

export const POSTED_BY = ['owner', 'finder'] as const;
export type PostedBy = (typeof POSTED_BY)[number];

/** A community's public code, or its access code; null, empty or absent means public. */
const communityCodeSchema = z.pipe(
  z.transform((value) => (typeof value === 'string' && value.trim() === '' ? null : (value ?? null))),
  z.nullable(z.string({ error: 'text_invalid' }).check(z.trim(), z.maxLength(40, { error: 'text_too_long' }))),
);

/** The body of `POST /api/posts` and `PUT /api/posts/{id}`, and the post form's own check. */
export const postInputSchema = z.object({
  title: textSchema({ max: TITLE_MAX_CHARS, required: 'title_required' }),
  owner_first_name: optionalTextSchema({ max: NAME_MAX_CHARS }),
  owner_last_name: optionalTextSchema({ max: NAME_MAX_CHARS }),
  location: textSchema({ max: LOCATION_MAX_CHARS, required: 'location_required' }),
  phone_number: contactPhoneSchema,
  description: optionalTextSchema({ max: DESCRIPTION_MAX_CHARS, lines: true }),
  posted_by: z._default(z.enum(POSTED_BY, { error: 'posted_by_invalid' }), 'finder'),
  community_code: communityCodeSchema,
});
export type PostInput = z.infer<typeof postInputSchema>;

export const pageQueryShape = {
  cursor: z.optional(z.string().check(z.regex(/^[1-9]\d{0,15}$/, { error: 'cursor_invalid' }))),
  limit: z._default(
    z.pipe(
      z.string().check(z.regex(/^\d{1,3}$/, { error: 'limit_invalid', abort: true })),
      z.pipe(
        z.transform((digits: string) => Number(digits)),
        z
          .number()
          .check(z.minimum(1, { error: 'limit_invalid' }), z.maximum(PAGE_SIZE_MAX, { error: 'limit_invalid' })),
      ),
    ),
    PAGE_SIZE_DEFAULT,
  ),
};
export const pageQuerySchema = z.object(pageQueryShape);
export type PageQuery = z.infer<typeof pageQuerySchema>;

export const searchQuerySchema = z._default(
  z.string().check(z.maxLength(SEARCH_MAX_CHARS, { error: 'text_too_long' })),
  '',
);

export const postListQuerySchema = z.object({
  ...pageQueryShape,
  search: searchQuerySchema,
  community_code: communityCodeSchema,
  posted_by: z.pipe(
    z.transform((value) => (value === '' ? undefined : value)),
    z.optional(z.enum(POSTED_BY, { error: 'posted_by_invalid' })),
  ),
});
export type PostListQuery = z.infer<typeof postListQuerySchema>;

export type Post = {
  id: string;
  title: string;
  owner_first_name: string;
  owner_last_name: string;
  location: string;
  /** Null for a viewer without a valid token. */
  phone_number: string | null;
  description: string;
  posted_by: PostedBy;
  community_code: string | null;
  community_name: string | null;
  is_found: boolean;
  is_mine: boolean;
  photos: string[];
  /** ISO 8601. */
  created_at: string;
};

/** How lists carry a post (specification §3). */
export type PostEntry = { Post: Post };
export type PostMatch = PostEntry & { score: number; reasons: MatchReason[] };
