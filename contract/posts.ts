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
 * `sure`: both authors are notified. `possible`: an author is notified only after the other author has confirmed the
 * match.
 */
export const confidenceSchema = z.enum(['sure', 'possible']);
export type Confidence = z.infer<typeof confidenceSchema>;

/** A user's answer to a match: "it is this one" or "not this one". */
export type MatchAnswer = 'confirmed' | 'dismissed';

/** Why two posts match, with a sentence in each language. */
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
 * Why a post is hidden: enough reports, an admin of its community or the platform, or the suspension of its author or
 * community.
 */
export const HIDDEN_BY = ['reports', 'community', 'admin', 'suspension', 'community_suspension'] as const;
export type HiddenBy = (typeof HIDDEN_BY)[number];
const kindSchema = z.enum(POST_KINDS, { error: 'kind_invalid' });

/** How people contact the author. `number`: by phone number. `claim`: only the accepted claimant sees the number. */
export const CONTACTS = ['number', 'claim'] as const;
export type Contact = (typeof CONTACTS)[number];

/** `is_found` is true only in the state `returned`. A `closed` or `resting` post is visible only to its author. */
const POST_STATES = ['open', 'returned', 'closed', 'resting', 'hidden'] as const;
export type PostState = (typeof POST_STATES)[number];

/** The outcomes by which an author makes a post `returned`. The `CLOSING_OUTCOMES` make a post `closed`. */
export const RETURNING_OUTCOMES = ['returned', 'found_it_myself'] as const;
export const CLOSING_OUTCOMES = ['with_police', 'with_office', 'given_up', 'other'] as const;
export const OUTCOMES = [...RETURNING_OUTCOMES, ...CLOSING_OUTCOMES] as const;
export type Outcome = (typeof OUTCOMES)[number];
export const outcomeInputSchema = z.object({ outcome: z.enum(OUTCOMES, { error: 'outcome_invalid' }) });

/** A community's `community_code` or its access code. Null, empty or absent makes the post public. */
const communityCodeSchema = z.pipe(
  z.transform((value) => (typeof value === 'string' && value.trim() === '' ? null : (value ?? null))),
  z.nullable(z.string({ error: 'text_invalid' }).check(z.trim(), z.maxLength(40, { error: 'text_too_long' }))),
);

/** A text field of an edited post. If the field is absent, the stored text stays; null or blank deletes the text. */
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

/** `POST /api/identifiers/lookup`: asks whether a finder's post has this identifier. */
export const identifierLookupSchema = z.object({ identifier: identifierSchema });
/** Whether the identifier is in a finder's post that is open, public and visible to the viewer. */
export const identifierFoundSchema = z.object({ found: z.boolean() });

export const TITLE_MAX_CHARS = 120;
export const NAME_MAX_CHARS = 60;
export const DESCRIPTION_MAX_CHARS = 2_000;
export const KEPT_AT_MAX_CHARS = 120;
export const CLAIM_QUESTION_MAX_CHARS = 200;
export const PRIVATE_MARKS_MAX_CHARS = 500;

/** The body of `PUT /api/posts/{id}`. The web app's forms for posts also validate with this schema. */
export const postInputSchema = z.object({
  title: textSchema({ max: TITLE_MAX_CHARS, required: 'title_required' }),
  owner_first_name: optionalTextSchema({ max: NAME_MAX_CHARS }),
  owner_last_name: optionalTextSchema({ max: NAME_MAX_CHARS }),
  location: textSchema({ max: LOCATION_MAX_CHARS, required: 'location_required' }),
  phone_number: contactPhoneSchema,
  description: optionalTextSchema({ max: DESCRIPTION_MAX_CHARS, lines: true }),
  posted_by: z._default(z.enum(POSTED_BY, { error: 'posted_by_invalid' }), 'finder'),
  community_code: communityCodeSchema,
  /** The kind that the author chose. Absent: unchanged; null: the Worker determines the kind from the post's text. */
  kind: z.optional(z.nullable(kindSchema)),
  /** Whether the author posts for somebody else, to whom the phone number belongs. Absent: unchanged; null: no. */
  on_behalf: z.optional(z.nullable(z.boolean({ error: 'yes_or_no' }))),
  /** Where a found item is now. Ignored in an owner's post. */
  kept_at: keptTextSchema({ max: KEPT_AT_MAX_CHARS, lines: false }),
  /** The question to claimants. While a claim is open, the question and `private_marks` cannot be changed. */
  claim_question: keptTextSchema({ max: CLAIM_QUESTION_MAX_CHARS, lines: true }),
  /** What only the finder knows about the item, to compare with a claimant's answer. */
  private_marks: keptTextSchema({ max: PRIVATE_MARKS_MAX_CHARS, lines: true }),
  /** Absent: unchanged; null: stored as `number`. */
  contact: z.optional(z.nullable(z.enum(CONTACTS, { error: 'contact_invalid' }))),
  /** Serial, IMEI, document or plate numbers, which the API never returns. Absent: unchanged; null: deleted. */
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
  /** "I found this": the id of another person's open lost post that this post answers. */
  answers_post_id: z.optional(z.nullable(z.string({ error: 'answered_post_invalid' }))),
});
export type NewPostInput = z.infer<typeof newPostSchema>;

export const searchQuerySchema = z._default(
  z.string().check(z.maxLength(SEARCH_MAX_CHARS, { error: 'text_too_long' })),
  '',
);

/** Wraps a filter of the list, so that an empty value counts as absent. */
function filterOf<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.pipe(
    z.transform((value) => (value === '' ? undefined : value)),
    z.optional(schema),
  );
}

export const postListQuerySchema = z.object({
  ...pageQueryShape,
  /**
   * Clients must not interpret the cursor. For a search, the cursor contains the part of the results (`SEARCH_PARTS`)
   * and the position in this part at which the search continues, the numbers of results on the pages so far, and a
   * digest of the searched words and the filters.
   */
  cursor: z.optional(
    z
      .string()
      .check(
        z.regex(/^(?:[1-9]\d{0,15}|(?:words|meaning|near)(?:-\d{1,16}){4}-[\w-]{8})$/, { error: 'cursor_invalid' }),
      ),
  ),
  search: searchQuerySchema,
  /** Only posts that contain the searched words, no posts with a similar meaning. Has no effect without `search`. */
  exact: filterOf(z.literal('1', { error: 'exact_invalid' })),
  community_code: communityCodeSchema,
  posted_by: filterOf(z.enum(POSTED_BY, { error: 'posted_by_invalid' })),
  kind: filterOf(kindSchema),
  /** Filter: only posts whose location contains this text. */
  place: z._default(z.string().check(z.maxLength(LOCATION_MAX_CHARS, { error: 'text_too_long' })), ''),
  /** Filter: only posts created at this time or later. */
  since: filterOf(momentSchema),
  /** Filter: only posts that are not marked as found. */
  open: filterOf(z.literal('1', { error: 'open_invalid' })),
});
export type PostListQuery = z.infer<typeof postListQuerySchema>;

export const postSchema = z.object({
  id: z.string(),
  title: z.string(),
  owner_first_name: z.string(),
  owner_last_name: z.string(),
  location: z.string(),
  /** Where a found item is now, according to its finder; null for a lost one. */
  kept_at: z.nullable(z.string()),
  /** Null for visitors, and for viewers whose daily allowance of phone numbers is used up. */
  phone_number: z.nullable(z.string()),
  /** Whether the author's WhatsApp number is proven; null for viewers who do not see the post's phone number. */
  is_author_proven: z.nullable(z.boolean()),
  ...contactLimitShape,
  description: z.string(),
  /** Whether the author posted for somebody else, to whom the phone number belongs. */
  on_behalf: z.boolean(),
  posted_by: z.enum(POSTED_BY),
  kind: kindSchema,
  /** In full for the author, redacted for other signed-in viewers of an open finder's post, null for everybody else. */
  claim_question: z.nullable(z.string()),
  /** What only the finder knows about the item. Present only for the author. */
  private_marks: z.optional(z.nullable(z.string())),
  community_code: z.nullable(z.string()),
  community_name: z.nullable(z.string()),
  is_found: z.boolean(),
  state: z.enum(POST_STATES),
  contact: z.enum(CONTACTS),
  is_mine: z.boolean(),
  /** Whether the post is hidden. A hidden post is visible only to its author and the moderators. */
  is_hidden: z.boolean(),
  hidden_by: z.array(z.enum(HIDDEN_BY)),
  /** An admin's text, or, if reports hid the post, the most frequent `ReportReason`. Null unless hidden. */
  hidden_reason: z.nullable(z.string()),
  /** The photos in the order that the author chose. */
  photos: z.array(photoSchema),
  created_at: timeSchema,
  /** Until when the author can undo marking the post as found. Null for other viewers, and after this time. */
  found_until: z.nullable(timeSchema),
  /** Whether the post has identifiers. Present only for the author, like `rests_at`. */
  has_identifiers: z.optional(z.boolean()),
  /** When the post will rest if its author does not say that they are still looking; null if the post is not open. */
  rests_at: z.optional(z.nullable(timeSchema)),
});
export type Post = z.infer<typeof postSchema>;

/**
 * The parts of a search's results, in order: posts with the searched words, and posts with the same meaning. If these
 * two parts have few posts, posts with a related meaning follow.
 */
export const SEARCH_PARTS = ['words', 'meaning', 'near'] as const;
export type SearchPart = (typeof SEARCH_PARTS)[number];

/** A post as lists return it, wrapped in a `Post` field (docs/product.md P2). */
export const postEntrySchema = z.object({
  Post: postSchema,
  /** The part of the search results that contains the post. Absent outside searches. */
  found_by: z.optional(z.enum(SEARCH_PARTS)),
  /**
   * Why the search found the post, with a sentence in each language. Only for posts in the parts `meaning` and `near`.
   */
  reasons: z.optional(z.array(matchReasonSchema)),
});
export type PostEntry = z.infer<typeof postEntrySchema>;

export const postMatchSchema = z.object({
  /** The match's id, with which the user confirms or dismisses the match. */
  pair_id: z.string(),
  confidence: confidenceSchema,
  Post: postSchema,
  score: z.number(),
  reasons: z.array(matchReasonSchema),
  /** The viewer's answer to the match. Dismissed matches are not listed. */
  answer: z.nullable(z.literal('confirmed')),
});
export type PostMatch = z.infer<typeof postMatchSchema>;

/** `GET /api/matches/counts`: how many matches each of the user's open posts has. Posts without a match are absent. */
export const matchCountsSchema = z.record(z.string(), z.number());
export type MatchCounts = z.infer<typeof matchCountsSchema>;

/**
 * The fields that an author writes and that have the same name in the form, the API and the table. The community is
 * missing: it is `community_code` in the API and `community_id` in the table.
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
