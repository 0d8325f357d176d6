import * as z from 'zod/mini';
import { contactLimitShape } from './contact-limit.ts';
import { confidenceSchema, matchReasonSchema } from './matching.ts';
import { HIDDEN_BY } from './posts.ts';
import { timeSchema } from './time.ts';

/** The subprotocol the socket answers with; the ticket rides beside it as `ticket.<ticket>`. */
export const LIVE_PROTOCOL = 'patikana.v1';
export const LIVE_TICKET_PREFIX = 'ticket.';

/** Close code: the token that opened the socket was revoked, or has reached its end. A client does not reconnect. */
export const CLOSE_SIGNED_OUT = 4401;
/** Close code: the person has opened too many sockets since. A client reconnects only when its person comes back to it. */
export const CLOSE_CROWDED_OUT = 4429;

export const matchingPostMessageSchema = z.object({
  type: z.literal('matching_post'),
  /** The notice's own id, to acknowledge. */
  id: z.string(),
  /** To confirm or dismiss. */
  pair_id: z.string(),
  /** `possible` when it is told because the other post's author says that it is this one. */
  confidence: confidenceSchema,
  post_id: z.string(),
  your_post_id: z.string(),
  title: z.string(),
  location: z.string(),
  /** Where the thing is now; absent where a mailbox kept the message from before this was asked. */
  kept_at: z.optional(z.nullable(z.string())),
  owner_first_name: z.string(),
  owner_last_name: z.string(),
  /** Null beyond what a day's notices may carry. */
  phone_number: z.nullable(z.string()),
  ...contactLimitShape,
  /** When the matching post was made. */
  created_at: timeSchema,
  score: z.number(),
  reasons: z.array(matchReasonSchema),
});
export type MatchingPostMessage = z.infer<typeof matchingPostMessageSchema>;

export const communityDecisionMessageSchema = z.object({
  type: z.enum(['community_approved', 'community_rejected']),
  id: z.string(),
  community_id: z.string(),
  name: z.string(),
  /** Where a new name was decided on, which `name` is: the one before. Absent where the community itself was. */
  former_name: z.optional(z.string()),
  /** Why it was rejected; null when it was approved. */
  reason: z.nullable(z.string()),
  created_at: timeSchema,
});
export type CommunityDecisionMessage = z.infer<typeof communityDecisionMessageSchema>;

/** To its author: their post is hidden from others, or is there again. */
export const postStandingMessageSchema = z.object({
  type: z.enum(['post_hidden', 'post_restored']),
  id: z.string(),
  post_id: z.string(),
  title: z.string(),
  /** What hid it; null when it is restored. */
  hidden_by: z.nullable(z.enum(HIDDEN_BY)),
  /** What an admin wrote, or of reports the `ReportReason` that most of them give. */
  reason: z.nullable(z.string()),
  created_at: timeSchema,
});
export type PostStandingMessage = z.infer<typeof postStandingMessageSchema>;

/** To its author: is it still looked for? The post rests a while after the second time. */
export const stillLookingMessageSchema = z.object({
  type: z.literal('still_looking'),
  id: z.string(),
  post_id: z.string(),
  title: z.string(),
  created_at: timeSchema,
});
export type StillLookingMessage = z.infer<typeof stillLookingMessageSchema>;

/** To the platform's admins: posts that were reported wait for them. */
export const reportsWaitingMessageSchema = z.object({
  type: z.literal('reports_waiting'),
  id: z.string(),
  waiting: z.number(),
  /** They were told of one of them before. */
  is_overdue: z.boolean(),
  created_at: timeSchema,
});
export type ReportsWaitingMessage = z.infer<typeof reportsWaitingMessageSchema>;

/** Whether they may write: suspended with why, or reinstated, which need not say it. */
export const accountStandingMessageSchema = z.object({
  type: z.enum(['account_suspended', 'account_reinstated']),
  id: z.string(),
  reason: z.nullable(z.string()),
  created_at: timeSchema,
});
export type AccountStandingMessage = z.infer<typeof accountStandingMessageSchema>;

/** Of a claim: `claim_received`, `claim_replied` and `claim_withdrawn` to the finder, all others to the claimant. */
export const claimNewsMessageSchema = z.object({
  type: z.enum([
    'claim_received',
    'claim_asked',
    'claim_replied',
    'claim_accepted',
    'claim_declined',
    'claim_withdrawn',
    'claim_closed',
    'handed_over',
  ]),
  id: z.string(),
  claim_id: z.string(),
  post_id: z.string(),
  /** Of the post; empty once its author's account is gone. */
  title: z.string(),
  created_at: timeSchema,
});
export type ClaimNewsMessage = z.infer<typeof claimNewsMessageSchema>;

/** To the platform's admins: the only admin of a community has deleted their account. */
export const communityWithoutAdminMessageSchema = z.object({
  type: z.literal('community_without_admin'),
  id: z.string(),
  community_id: z.string(),
  name: z.string(),
  created_at: timeSchema,
});
export type CommunityWithoutAdminMessage = z.infer<typeof communityWithoutAdminMessageSchema>;

/** To a community's members: it closes at that time, or, with null, no more. */
export const communityClosingMessageSchema = z.object({
  type: z.enum(['community_closing', 'community_reopened']),
  id: z.string(),
  community_id: z.string(),
  name: z.string(),
  closes_at: z.nullable(timeSchema),
  created_at: timeSchema,
});
export type CommunityClosingMessage = z.infer<typeof communityClosingMessageSchema>;

/** To a community's admins: somebody asks to join; to whoever asked: they are in. */
export const joinRequestMessageSchema = z.object({
  type: z.enum(['join_request', 'join_accepted']),
  id: z.string(),
  community_id: z.string(),
  name: z.string(),
  created_at: timeSchema,
});
export type JoinRequestMessage = z.infer<typeof joinRequestMessageSchema>;

/** That a new password was set by a code from WhatsApp, for the account's other devices to tell. */
export const passwordChangedMessageSchema = z.object({
  type: z.literal('password_changed'),
  id: z.string(),
  created_at: timeSchema,
});
export type PasswordChangedMessage = z.infer<typeof passwordChangedMessageSchema>;

/** What the server pushes. */
export const liveMessageSchema = z.union([
  matchingPostMessageSchema,
  communityDecisionMessageSchema,
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

/** Pushed to open pages beside the messages: these were read elsewhere, or are no longer true. */
export type NoticesEndedFrame = { type: 'notices_ended'; ids: string[] };

/** What a client may send, beside the text frame `ping`. */
export const clientMessageSchema = z.object({ type: z.literal('ack'), id: z.string().check(z.maxLength(64)) });
export type ClientMessage = z.infer<typeof clientMessageSchema>;

/** `expires_in` is in seconds. */
export const realtimeTicketSchema = z.object({ ticket: z.string(), expires_in: z.number() });
export type RealtimeTicket = z.infer<typeof realtimeTicketSchema>;
