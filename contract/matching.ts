import * as z from 'zod/mini';

/** `sure`: whoever waited is told. `possible`: listed under the posts, and told when somebody says that it is this one. */
export const confidenceSchema = z.enum(['sure', 'possible']);
export type Confidence = z.infer<typeof confidenceSchema>;

/** Why two posts were put together, named in both languages so that each reader sees their own. */
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
