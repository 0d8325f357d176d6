import * as z from 'zod/mini';

/**
 * `sure`: the author is notified. `possible`: listed under the posts, and notified only when the other author confirms
 * it.
 */
export const confidenceSchema = z.enum(['sure', 'possible']);
export type Confidence = z.infer<typeof confidenceSchema>;

/** What a person says of a pair: "it is this one", "not this one". */
export type MatchAnswer = 'confirmed' | 'dismissed';

/** Why two posts match, in both languages, so that each reader sees their own. */
export const matchReasonSchema = z.object({
  kind: z.enum([
    'item',
    'colour',
    'brand',
    'name',
    'number',
    'place',
    'date',
    'detail',
    'same_identifier',
    'named_by_finder',
  ]),
  en: z.string(),
  sw: z.string(),
});

export type MatchReason = z.infer<typeof matchReasonSchema>;
