import * as z from 'zod/mini';
import { contactPhoneSchema, textSchema, timePageShape, timeSchema } from './fields.ts';
import { CLAIM_TEXT_MAX_CHARS, HANDOVER_CODE_DIGITS } from './limits.ts';

/** The two parties of a claim. */
export const CLAIM_ROLES = ['finder', 'claimant'] as const;
export type ClaimRole = (typeof CLAIM_ROLES)[number];

/**
 * `closed` has three causes: the post was returned, closed or deleted; one party blocked the other; or one party
 * deleted their account.
 */
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

/**
 * The stored state of a claim: a status, or a decline that can still be undone. `declining`: the claim was `waiting`
 * before the decline. `declining_asked`: the claim was `asked` before.
 */
export const CLAIM_STATES = [...CLAIM_STATUSES, 'declining', 'declining_asked'] as const;
export type ClaimState = (typeof CLAIM_STATES)[number];

/** The steps that the two parties can take. Each step is a path below `/api/claims/{id}/`. */
export const CLAIM_STEPS = ['ask', 'reply', 'accept', 'decline', 'undo', 'withdraw', 'hand-over'] as const;
export type ClaimStep = (typeof CLAIM_STEPS)[number];
/** The steps in a claim's history. The step `claim` is the creation of the claim. */
const HISTORY_STEPS = ['claim', ...CLAIM_STEPS] as const;
export type HistoryStep = (typeof HISTORY_STEPS)[number];

const claimTextSchema = textSchema({ max: CLAIM_TEXT_MAX_CHARS, required: 'message_required', lines: true });

/** `POST /api/posts/{id}/claims`. An absent or empty phone number means the account's own. */
export const claimInputSchema = z.object({
  answer: claimTextSchema,
  phone_number: z.pipe(
    z.transform((value) => (typeof value === 'string' && value.trim() === '' ? null : (value ?? null))),
    z.nullable(contactPhoneSchema),
  ),
});
export type ClaimInput = z.infer<typeof claimInputSchema>;

/** The body of `POST /api/claims/{id}/ask` and `reply`: a question or a reply. */
export const claimTextInputSchema = z.object({ text: claimTextSchema });

/** `POST /api/claims/{id}/hand-over`. Ignores spaces around the hand-over code. */
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
  /** Whether the text mentions money: clients then show a warning. */
  is_about_money: z.boolean(),
  created_at: timeSchema,
});

/**
 * A claim as one of its parties sees it. Until the claim is accepted, `•••` replaces phone numbers and addresses in
 * texts and names. A text is null once its author's account is deleted.
 */
export const claimSchema = z.object({
  id: z.string(),
  post_id: z.string(),
  post_title: z.nullable(z.string()),
  role: z.enum(CLAIM_ROLES),
  other_name: z.nullable(z.string()),
  /** Null if the finder asked no question, or has deleted their account. */
  question: z.nullable(z.string()),
  answer: z.nullable(z.string()),
  /** What only the finder knows about the item, as stored when the claim was made; null for the claimant. */
  private_marks: z.nullable(z.string()),
  status: z.enum(CLAIM_STATUSES),
  /**
   * Whether the post is hidden. While it is hidden, the finder cannot ask, accept or hand over, and neither party sees
   * the other's phone number.
   */
  is_paused: z.boolean(),
  /** The questions and replies after the first question and answer, oldest first. */
  messages: z.array(claimMessageSchema),
  /** The steps that this party may see, oldest first. The claimant does not see a decline that can be undone. */
  history: z.array(z.object({ step: z.enum(HISTORY_STEPS), by: z.enum(CLAIM_ROLES), created_at: timeSchema })),
  /**
   * The other party's phone number while the claim is accepted, and for `CLAIM_NUMBER_DAYS` after the hand-over. Null
   * otherwise, and while `is_paused`.
   */
  phone_number: z.nullable(z.string()),
  /**
   * The code that the finder enters at the hand-over. Present only for the claimant of an accepted claim that is not
   * paused.
   */
  handover_code: z.nullable(z.string()),
  created_at: timeSchema,
  /** When the claim last changed, ignoring steps that this party may not see. */
  updated_at: timeSchema,
});
export type Claim = z.infer<typeof claimSchema>;
export type ClaimMessage = z.infer<typeof claimMessageSchema>;

/** A person whom the user has blocked; only the newest `BLOCKS_LISTED_MAX` are listed. */
export const blockSchema = z.object({
  id: z.string(),
  /** The blocked person as the user knows them: the title of their post, or their name in a claim. */
  name: z.string(),
  created_at: timeSchema,
});
export type Block = z.infer<typeof blockSchema>;
