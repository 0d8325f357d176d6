import * as z from 'zod/mini';
import { contactLimitShape, timeSchema } from './fields.ts';
import { confidenceSchema, HIDDEN_BY, matchReasonSchema } from './posts.ts';

/**
 * The WebSocket subprotocol that the server selects. The client offers a second one, `ticket.<ticket>`, to authorise
 * itself.
 */
export const LIVE_PROTOCOL = 'patikana.v1';
export const LIVE_TICKET_PREFIX = 'ticket.';

/**
 * Close code: the token that opened the socket was revoked or has expired. Clients do not reconnect with this token.
 */
export const CLOSE_SIGNED_OUT = 4401;
/** Close code: the user has opened too many newer sockets. Clients reconnect only when the user returns to the page. */
export const CLOSE_CROWDED_OUT = 4429;

const matchingPostMessageSchema = z.object({
  type: z.literal('matching_post'),
  /** The notice's id, which the client acknowledges. */
  id: z.string(),
  /** The match's id, with which the user confirms or dismisses the match. */
  pair_id: z.string(),
  /**
   * `possible` if the user is notified only because the other post's author has confirmed the match; otherwise `sure`.
   */
  confidence: confidenceSchema,
  post_id: z.string(),
  your_post_id: z.string(),
  title: z.string(),
  location: z.string(),
  /** Where a found item is now; null for a lost one. */
  kept_at: z.nullable(z.string()),
  owner_first_name: z.string(),
  owner_last_name: z.string(),
  /** Null if the day's limit of notices with a phone number is used up. */
  phone_number: z.nullable(z.string()),
  ...contactLimitShape,
  /** When the matching post was created. */
  created_at: timeSchema,
  score: z.number(),
  reasons: z.array(matchReasonSchema),
});
export type MatchingPostMessage = z.infer<typeof matchingPostMessageSchema>;

const communityDecisionMessageSchema = z.object({
  type: z.enum(['community_approved', 'community_rejected']),
  id: z.string(),
  community_id: z.string(),
  name: z.string(),
  /** The old name, if the decision was on a new name. Absent if the decision was on the community itself. */
  former_name: z.optional(z.string()),
  /** Why the community or its new name was rejected; null if it was approved. */
  reason: z.nullable(z.string()),
  created_at: timeSchema,
});
export type CommunityDecisionMessage = z.infer<typeof communityDecisionMessageSchema>;

/** To a community's admins: the community was suspended or reinstated. Only a suspension has a reason. */
const communityStandingMessageSchema = z.object({
  type: z.enum(['community_suspended', 'community_reinstated']),
  id: z.string(),
  community_id: z.string(),
  name: z.string(),
  reason: z.nullable(z.string()),
  created_at: timeSchema,
});
export type CommunityStandingMessage = z.infer<typeof communityStandingMessageSchema>;

/** To the author: their post was hidden or restored. */
const postStandingMessageSchema = z.object({
  type: z.enum(['post_hidden', 'post_restored']),
  id: z.string(),
  post_id: z.string(),
  title: z.string(),
  /** What hid the post; null if the post was restored. */
  hidden_by: z.nullable(z.enum(HIDDEN_BY)),
  /** An admin's text, or, if reports hid the post, the most frequent `ReportReason`. */
  reason: z.nullable(z.string()),
  created_at: timeSchema,
});
export type PostStandingMessage = z.infer<typeof postStandingMessageSchema>;

/**
 * To the author: asks whether they are still looking. If they answer none of these notices, the post rests after
 * `POST_RESTS_AFTER_DAYS`.
 */
const stillLookingMessageSchema = z.object({
  type: z.literal('still_looking'),
  id: z.string(),
  post_id: z.string(),
  title: z.string(),
  created_at: timeSchema,
});
export type StillLookingMessage = z.infer<typeof stillLookingMessageSchema>;

/** To platform admins: reported posts wait for a decision. */
const reportsWaitingMessageSchema = z.object({
  type: z.literal('reports_waiting'),
  id: z.string(),
  waiting: z.number(),
  /**
   * Whether the posts are overdue: an earlier notice about at least one of the posts was sent, and nobody has decided.
   */
  is_overdue: z.boolean(),
  created_at: timeSchema,
});

/** The user's account was suspended or reinstated. Only a suspension has a reason. */
const accountStandingMessageSchema = z.object({
  type: z.enum(['account_suspended', 'account_reinstated']),
  id: z.string(),
  reason: z.nullable(z.string()),
  created_at: timeSchema,
});
export type AccountStandingMessage = z.infer<typeof accountStandingMessageSchema>;

/**
 * About a claim. `claim_received`, `claim_replied` and `claim_withdrawn` go to the finder, all others to the claimant.
 */
export const claimNewsMessageSchema = z.object({
  type: z.enum([
    'claim_received',
    'claim_asked',
    'claim_replied',
    'claim_accepted',
    'claim_declined',
    'claim_withdrawn',
    'claim_closed',
    'claim_paused',
    'handed_over',
  ]),
  id: z.string(),
  claim_id: z.string(),
  post_id: z.string(),
  /** The post's title; empty once its author's account is deleted. */
  title: z.string(),
  created_at: timeSchema,
});
export type ClaimNewsMessage = z.infer<typeof claimNewsMessageSchema>;

/** To platform admins: a community's only admin has deleted their account. */
const communityWithoutAdminMessageSchema = z.object({
  type: z.literal('community_without_admin'),
  id: z.string(),
  community_id: z.string(),
  name: z.string(),
  created_at: timeSchema,
});

/** To a community's members: when the community will close. `closes_at` is null if the closing was cancelled. */
const communityClosingMessageSchema = z.object({
  type: z.enum(['community_closing', 'community_reopened']),
  id: z.string(),
  community_id: z.string(),
  name: z.string(),
  closes_at: z.nullable(timeSchema),
  created_at: timeSchema,
});
export type CommunityClosingMessage = z.infer<typeof communityClosingMessageSchema>;

/** `join_request` goes to a community's admins, `join_accepted` to the new member. */
const joinRequestMessageSchema = z.object({
  type: z.enum(['join_request', 'join_accepted']),
  id: z.string(),
  community_id: z.string(),
  name: z.string(),
  created_at: timeSchema,
});

/** To the account's other devices: somebody, perhaps a thief, has set a new password with a reset code. */
const passwordChangedMessageSchema = z.object({
  type: z.literal('password_changed'),
  id: z.string(),
  created_at: timeSchema,
});
export type PasswordChangedMessage = z.infer<typeof passwordChangedMessageSchema>;

/** Every message that the server sends as a notice. */
export const liveMessageSchema = z.union([
  matchingPostMessageSchema,
  communityDecisionMessageSchema,
  communityStandingMessageSchema,
  postStandingMessageSchema,
  stillLookingMessageSchema,
  accountStandingMessageSchema,
  reportsWaitingMessageSchema,
  claimNewsMessageSchema,
  passwordChangedMessageSchema,
  communityWithoutAdminMessageSchema,
  communityClosingMessageSchema,
  joinRequestMessageSchema,
]);
export type LiveMessage = z.infer<typeof liveMessageSchema>;
export const LIVE_MESSAGE_TYPES = [
  'matching_post',
  ...communityDecisionMessageSchema.shape.type.options,
  ...communityStandingMessageSchema.shape.type.options,
  ...postStandingMessageSchema.shape.type.options,
  'still_looking',
  ...accountStandingMessageSchema.shape.type.options,
  ...claimNewsMessageSchema.shape.type.options,
  'password_changed',
  'reports_waiting',
  'community_without_admin',
  ...communityClosingMessageSchema.shape.type.options,
  ...joinRequestMessageSchema.shape.type.options,
] as const satisfies readonly LiveMessage['type'][];

/** Sent to open pages: these notices were read elsewhere or withdrawn. */
export type NoticesEndedFrame = { type: 'notices_ended'; ids: string[] };

/** The only message that a client may send, besides the text frame `ping`. */
export const clientMessageSchema = z.object({ type: z.literal('ack'), id: z.string().check(z.maxLength(64)) });

/** A ticket with which the client opens a WebSocket. `expires_in` is in seconds. */
export const realtimeTicketSchema = z.object({ ticket: z.string(), expires_in: z.number() });
export type RealtimeTicket = z.infer<typeof realtimeTicketSchema>;
