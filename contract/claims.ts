import * as z from 'zod/mini';
import { contactPhoneSchema, textSchema, timePageShape, timeSchema } from './fields.ts';
import { CLAIM_TEXT_MAX_CHARS, HANDOVER_CODE_DIGITS } from './limits.ts';

/** The two people of a claim. */
export const CLAIM_ROLES = ['finder', 'claimant'] as const;
export type ClaimRole = (typeof CLAIM_ROLES)[number];

/** `closed`: the post was returned, closed or deleted, or the thing handed to somebody else, or one account is gone. */
export const CLAIM_STATUSES = [
  'waiting',
  'asked',
  'accepted',
  'handed_over',
  'declined',
  'withdrawn',
  'closed',
] as const;
export type ClaimStatus = (typeof CLAIM_STATUSES)[number];

/** The stored state: a status, or a decline that is not in effect yet, of a claim that was `waiting` or `asked`. */
export const CLAIM_STATES = [...CLAIM_STATUSES, 'declining', 'declining_asked'] as const;
export type ClaimState = (typeof CLAIM_STATES)[number];

/** What the two can do with a claim. Each step is a path below `/api/claims/{id}/`. */
export const CLAIM_STEPS = ['ask', 'reply', 'accept', 'decline', 'undo', 'withdraw', 'hand-over'] as const;
export type ClaimStep = (typeof CLAIM_STEPS)[number];
/** What a claim's history consists of: its beginning, then steps. */
const HISTORY_STEPS = ['claim', ...CLAIM_STEPS] as const;
export type HistoryStep = (typeof HISTORY_STEPS)[number];

const claimTextSchema = textSchema({ max: CLAIM_TEXT_MAX_CHARS, required: 'message_required', lines: true });

/** `POST /api/posts/{id}/claims`. The number defaults to the caller's own; an empty one counts as absent. */
export const claimInputSchema = z.object({
  answer: claimTextSchema,
  phone_number: z.pipe(
    z.transform((value) => (typeof value === 'string' && value.trim() === '' ? null : (value ?? null))),
    z.nullable(contactPhoneSchema),
  ),
});
export type ClaimInput = z.infer<typeof claimInputSchema>;

/** `POST /api/claims/{id}/ask` and `reply`. */
export const claimTextInputSchema = z.object({ text: claimTextSchema });

/** `POST /api/claims/{id}/hand-over`. Spaces around the code do not count. */
export const handOverInputSchema = z.object({
  code: z
    .string({ error: 'code_required' })
    .check(z.trim(), z.regex(new RegExp(`^\\d{${HANDOVER_CODE_DIGITS}}$`), { error: 'code_invalid' })),
});

export const claimListQuerySchema = z.object(timePageShape);
export type ClaimListQuery = z.infer<typeof claimListQuerySchema>;

export const claimMessageSchema = z.object({
  from: z.enum(CLAIM_ROLES),
  text: z.string(),
  /** Whether it mentions money: clients show a warning. */
  is_about_money: z.boolean(),
  created_at: timeSchema,
});

/**
 * A claim as one of its two people sees it. Until it is accepted, numbers and addresses in texts and names are replaced
 * by `•••`. Texts are null once their author's account is gone.
 */
export const claimSchema = z.object({
  id: z.string(),
  post_id: z.string(),
  post_title: z.nullable(z.string()),
  role: z.enum(CLAIM_ROLES),
  other_name: z.nullable(z.string()),
  /** Also null if the finder asked nothing. */
  question: z.nullable(z.string()),
  answer: z.nullable(z.string()),
  /** What only the finder knows about the thing, as it was when the claim was made; null for the claimant. */
  private_marks: z.nullable(z.string()),
  status: z.enum(CLAIM_STATUSES),
  /** Whether the post is hidden: then the finder can neither ask, accept nor hand over, and neither side sees a number. */
  is_paused: z.boolean(),
  /** Further questions and replies, oldest first. */
  messages: z.array(claimMessageSchema),
  /** All steps that this reader may know of, oldest first. */
  history: z.array(z.object({ step: z.enum(HISTORY_STEPS), by: z.enum(CLAIM_ROLES), created_at: timeSchema })),
  /** The other person's number, while accepted and for `CLAIM_NUMBER_DAYS` after the hand-over; null while paused. */
  phone_number: z.nullable(z.string()),
  /** Only for the claimant, while accepted and not paused: the finder enters it at the hand-over. */
  handover_code: z.nullable(z.string()),
  created_at: timeSchema,
  /** When the claim last changed for this reader. */
  updated_at: timeSchema,
});
export type Claim = z.infer<typeof claimSchema>;
export type ClaimMessage = z.infer<typeof claimMessageSchema>;

/** A person whom the caller has blocked; only the newest `BLOCKS_LISTED_MAX` are listed. */
export const blockSchema = z.object({
  id: z.string(),
  /** The title of the post, or the name in the claim, by which they were blocked. */
  name: z.string(),
  created_at: timeSchema,
});
export type Block = z.infer<typeof blockSchema>;
