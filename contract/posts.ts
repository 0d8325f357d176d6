import * as z from 'zod/mini';
import {
  contactLimitShape,
  contactPhoneSchema,
  momentSchema,
  optionalTextSchema,
  pageQueryShape,
  textSchema,
  timeSchema,
} from './fields.ts';
import { POST_KINDS, POSTED_BY } from './kinds.ts';
import { IDENTIFIER_TYPED_MAX_CHARS, IDENTIFIERS_MAX, LOCATION_MAX_CHARS, SEARCH_MAX_CHARS } from './limits.ts';
import { photoSchema } from './photos.ts';
import { isIdentifier } from './typed-numbers.ts';

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

/**
 * What can hide a post: several people's reports, its community's admins, a platform admin, the suspension of its author
 * or of its community.
 */
export const HIDDEN_BY = ['reports', 'community', 'admin', 'suspension', 'community_suspension'] as const;
export type HiddenBy = (typeof HIDDEN_BY)[number];
const kindSchema = z.enum(POST_KINDS, { error: 'kind_invalid' });

/**
 * How the author is contacted: by the post's phone number, or by claims, where only the accepted claimant gets the
 * number.
 */
export const CONTACTS = ['number', 'claim'] as const;
export type Contact = (typeof CONTACTS)[number];

/** `is_found` is true only for `returned`. Only their authors see `closed` and `resting` posts. */
const POST_STATES = ['open', 'returned', 'closed', 'resting', 'hidden'] as const;
export type PostState = (typeof POST_STATES)[number];

/** How a post ended, according to its author. The first two make it `returned`, the others `closed`. */
export const RETURNING_OUTCOMES = ['returned', 'found_it_myself'] as const;
export const CLOSING_OUTCOMES = ['with_police', 'with_office', 'given_up', 'other'] as const;
export const OUTCOMES = [...RETURNING_OUTCOMES, ...CLOSING_OUTCOMES] as const;
export type Outcome = (typeof OUTCOMES)[number];
export const outcomeInputSchema = z.object({ outcome: z.enum(OUTCOMES, { error: 'outcome_invalid' }) });

/** A community's public code, or its access code; null, empty or absent means public. */
const communityCodeSchema = z.pipe(
  z.transform((value) => (typeof value === 'string' && value.trim() === '' ? null : (value ?? null))),
  z.nullable(z.string({ error: 'text_invalid' }).check(z.trim(), z.maxLength(40, { error: 'text_too_long' }))),
);

/** If left out, the previous text stays; null or blank clears it. */
function keptTextSchema({ max, lines }: { max: number; lines: boolean }) {
  return z.optional(
    z.pipe(
      z.transform((value) => (typeof value === 'string' && value.trim() === '' ? null : value)),
      z.nullable(textSchema({ max, lines })),
    ),
  );
}

const identifierSchema = z
  .string({ error: 'identifier_invalid' })
  .check(
    z.maxLength(IDENTIFIER_TYPED_MAX_CHARS, { error: 'identifier_invalid' }),
    z.refine(isIdentifier, { error: 'identifier_invalid' }),
  );

/** `POST /api/identifiers/lookup`: has somebody found the thing with this number? */
export const identifierLookupSchema = z.object({ identifier: identifierSchema });
/** Whether an open, public finder's post has the number. */
export const identifierFoundSchema = z.object({ found: z.boolean() });

export const TITLE_MAX_CHARS = 120;
export const NAME_MAX_CHARS = 60;
export const DESCRIPTION_MAX_CHARS = 2_000;
export const KEPT_AT_MAX_CHARS = 120;
export const CLAIM_QUESTION_MAX_CHARS = 200;
export const PRIVATE_MARKS_MAX_CHARS = 500;

/** The body of `PUT /api/posts/{id}`, and the validation of the post form. */
export const postInputSchema = z.object({
  title: textSchema({ max: TITLE_MAX_CHARS, required: 'title_required' }),
  owner_first_name: optionalTextSchema({ max: NAME_MAX_CHARS }),
  owner_last_name: optionalTextSchema({ max: NAME_MAX_CHARS }),
  location: textSchema({ max: LOCATION_MAX_CHARS, required: 'location_required' }),
  phone_number: contactPhoneSchema,
  description: optionalTextSchema({ max: DESCRIPTION_MAX_CHARS, lines: true }),
  posted_by: z._default(z.enum(POSTED_BY, { error: 'posted_by_invalid' }), 'finder'),
  community_code: communityCodeSchema,
  /** If left out, the author's previous choice stays; null means that it is derived from the text. */
  kind: z.optional(z.nullable(kindSchema)),
  /** Whether it is posted for somebody else, whose number it has. If left out it stays unchanged; null means no. */
  on_behalf: z.optional(z.nullable(z.boolean({ error: 'yes_or_no' }))),
  /** Where a found thing is now; ignored for a lost one. */
  kept_at: keptTextSchema({ max: KEPT_AT_MAX_CHARS, lines: false }),
  /** The question to claimants. It cannot be changed while a claim is open, and neither can the marks. */
  claim_question: keptTextSchema({ max: CLAIM_QUESTION_MAX_CHARS, lines: true }),
  /** What only the finder knows about it, to compare a claim's answer with. */
  private_marks: keptTextSchema({ max: PRIVATE_MARKS_MAX_CHARS, lines: true }),
  /** If left out it stays unchanged; null means `number`. */
  contact: z.optional(z.nullable(z.enum(CONTACTS, { error: 'contact_invalid' }))),
  /**
   * Serial, IMEI, document or plate numbers, never returned to anybody. If left out they stay unchanged; null clears
   * them.
   */
  identifiers: z.optional(
    z.nullable(
      z
        .array(identifierSchema, { error: 'identifier_invalid' })
        .check(z.maxLength(IDENTIFIERS_MAX, { error: 'identifiers_too_many' })),
    ),
  ),
});
export type PostInput = z.infer<typeof postInputSchema>;

/** The body of `POST /api/posts`. */
export const newPostSchema = z.extend(postInputSchema, {
  /** "I found this": the id of somebody else's open lost post that this post answers. */
  answers_post_id: z.optional(z.nullable(z.string({ error: 'answered_post_invalid' }))),
});
export type NewPostInput = z.infer<typeof newPostSchema>;

export const searchQuerySchema = z._default(
  z.string().check(z.maxLength(SEARCH_MAX_CHARS, { error: 'text_too_long' })),
  '',
);

/** An empty filter counts as absent. */
function filterOf<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.pipe(
    z.transform((value) => (value === '' ? undefined : value)),
    z.optional(schema),
  );
}

export const postListQuerySchema = z.object({
  ...pageQueryShape,
  /** That of a search names its part, a position in it, counts of what was found before, and a digest of the query. */
  cursor: z.optional(
    z
      .string()
      .check(
        z.regex(/^(?:[1-9]\d{0,15}|(?:words|meaning|near)(?:-\d{1,16}){4}-[\w-]{8})$/, { error: 'cursor_invalid' }),
      ),
  ),
  search: searchQuerySchema,
  /** Only posts whose own words contain the search; without a search it has no effect. */
  exact: filterOf(z.literal('1', { error: 'exact_invalid' })),
  community_code: communityCodeSchema,
  posted_by: filterOf(z.enum(POSTED_BY, { error: 'posted_by_invalid' })),
  kind: filterOf(kindSchema),
  /** Part of the location. */
  place: z._default(z.string().check(z.maxLength(LOCATION_MAX_CHARS, { error: 'text_too_long' })), ''),
  /** Only posts that are not older. */
  since: filterOf(momentSchema),
  /** Without posts that are marked as found. */
  open: filterOf(z.literal('1', { error: 'open_invalid' })),
});
export type PostListQuery = z.infer<typeof postListQuerySchema>;

export const postSchema = z.object({
  id: z.string(),
  title: z.string(),
  owner_first_name: z.string(),
  owner_last_name: z.string(),
  location: z.string(),
  /** Where the found thing is now, according to its finder; null for a lost one. */
  kept_at: z.nullable(z.string()),
  /** Null for visitors, and beyond the day's limit on numbers. */
  phone_number: z.nullable(z.string()),
  /** Whether its author's WhatsApp number is proven; null for viewers who do not see the post's number. */
  is_author_proven: z.nullable(z.boolean()),
  ...contactLimitShape,
  description: z.string(),
  /** Whether it is posted for somebody else, whose number it has. */
  on_behalf: z.boolean(),
  posted_by: z.enum(POSTED_BY),
  kind: kindSchema,
  /** Unredacted for the author; redacted for other signed-in viewers of an open finder's post; otherwise null. */
  claim_question: z.nullable(z.string()),
  /** Present only for the author. */
  private_marks: z.optional(z.nullable(z.string())),
  community_code: z.nullable(z.string()),
  community_name: z.nullable(z.string()),
  is_found: z.boolean(),
  state: z.enum(POST_STATES),
  contact: z.enum(CONTACTS),
  is_mine: z.boolean(),
  /** Only its author and its moderators see a hidden post. */
  is_hidden: z.boolean(),
  hidden_by: z.array(z.enum(HIDDEN_BY)),
  /** An admin's text, or for reports the most frequent `ReportReason`; null unless hidden. */
  hidden_reason: z.nullable(z.string()),
  /** In the author's order. */
  photos: z.array(photoSchema),
  created_at: timeSchema,
  /** Until when its author can undo marking it as found; null for everybody else, and when that cannot be undone. */
  found_until: z.nullable(timeSchema),
  /** Present only for the author, like `rests_at`. */
  has_identifiers: z.optional(z.boolean()),
  /** When it will rest unless the author confirms that they are still looking; null if it is not open. */
  rests_at: z.optional(z.nullable(timeSchema)),
});
export type Post = z.infer<typeof postSchema>;

/**
 * The parts of a search's answer, in their order: the posts whose own words contain the search, the others that mean it,
 * and, where these are few, those that are close to it.
 */
export const SEARCH_PARTS = ['words', 'meaning', 'near'] as const;
export type SearchPart = (typeof SEARCH_PARTS)[number];

/** How lists wrap a post (docs/product.md P2). */
export const postEntrySchema = z.object({
  Post: postSchema,
  /** Present only in the answer to a search. */
  found_by: z.optional(z.enum(SEARCH_PARTS)),
  /** Present only with `meaning` and `near`: what of the search the post says, in both languages. */
  reasons: z.optional(z.array(matchReasonSchema)),
});
export type PostEntry = z.infer<typeof postEntrySchema>;

export const postMatchSchema = z.object({
  /** To confirm or dismiss. */
  pair_id: z.string(),
  confidence: confidenceSchema,
  Post: postSchema,
  score: z.number(),
  reasons: z.array(matchReasonSchema),
  /** What the viewer has said about the pair. */
  answer: z.nullable(z.literal('confirmed')),
});
export type PostMatch = z.infer<typeof postMatchSchema>;

/** `GET /api/matches/counts`: the number of listed matches for each open post of the caller that has any. */
export const matchCountsSchema = z.record(z.string(), z.number());
export type MatchCounts = z.infer<typeof matchCountsSchema>;

/**
 * The fields of a post that its author writes: each one has the same name in the form, in the API and in the table. The
 * community is not among them, as it is given as a code but stored as an id.
 */
export const WRITTEN_FIELDS = [
  'title',
  'owner_first_name',
  'owner_last_name',
  'location',
  'phone_number',
  'description',
  'posted_by',
] as const satisfies readonly (keyof PostInput)[];
