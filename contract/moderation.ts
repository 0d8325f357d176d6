import * as z from 'zod/mini';
import { CLAIM_STATUSES, claimMessageSchema } from './claims.ts';
import { possibleTextSchema, textSchema, timePageShape, timeSchema } from './fields.ts';
import { REPORT_REASONS } from './kinds.ts';
import { MODERATION_REASON_MAX_CHARS, REPORT_TEXT_MAX_CHARS } from './limits.ts';
import { postSchema } from './posts.ts';

/** The status of a reported post or claim. */
const CASE_STATUSES = ['open', 'decided'] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];

/** `POST /api/posts/{id}/reports`. An empty text is stored as no text. */
export const reportInputSchema = z.object({
  reason: z.enum(REPORT_REASONS, { error: 'report_reason_required' }),
  text: possibleTextSchema(REPORT_TEXT_MAX_CHARS),
});
export type ReportInput = z.infer<typeof reportInputSchema>;

export const madeReportSchema = z.object({ id: z.string() });

/** The reason for hiding a post, suspending a person or community, or rejecting a community. Those affected read it. */
export const moderationReasonSchema = z.object({
  reason: textSchema({ max: MODERATION_REASON_MAX_CHARS, required: 'reason_required', lines: true }),
});

/** The optional reason for restoring a post or reinstating a person. */
export const restorationSchema = z.object({
  reason: possibleTextSchema(MODERATION_REASON_MAX_CHARS),
});

/** An admin's decision on a post. `restored` removes every cause in `HIDDEN_BY` except `community_suspension`. */
const adminDecisionSchema = z.enum(['hidden', 'restored']);
/** A decision about a reported post. `post_deleted`: the post was deleted before anybody decided. */
export const decisionSchema = z.enum([...adminDecisionSchema.options, 'post_deleted']);
export type Decision = z.infer<typeof decisionSchema>;

/** What admins see of an author or a reporter. */
export const knownPersonSchema = z.object({
  id: z.string(),
  username: z.string(),
  created_at: timeSchema,
  is_number_proven: z.boolean(),
  is_suspended: z.boolean(),
  post_count: z.number(),
  /** How many reports other people have made on this person's posts. */
  reports_against: z.number(),
  reports_made: z.number(),
});
export type KnownPerson = z.infer<typeof knownPersonSchema>;

export const reportedPostQuerySchema = z.object({
  status: z._default(z.enum(CASE_STATUSES, { error: 'report_status_invalid' }), 'open'),
  ...timePageShape,
});
export type ReportedPostQuery = z.infer<typeof reportedPostQuerySchema>;

/** A reported claim, unredacted. A text is null once its author's account is deleted. */
const reportedClaimSchema = z.object({
  id: z.string(),
  claimant_id: z.nullable(z.string()),
  /**
   * The claim's status as the finder sees it: `declined` immediately after a decline, even while the decline can be
   * undone.
   */
  status: z.enum(CLAIM_STATUSES),
  question: z.nullable(z.string()),
  private_marks: z.nullable(z.string()),
  answer: z.nullable(z.string()),
  messages: z.array(claimMessageSchema),
});
export type ReportedClaim = z.infer<typeof reportedClaimSchema>;

const caseShape = {
  id: z.string(),
  status: z.enum(CASE_STATUSES),
  /** When an open case began to wait, or when a decided case was decided. */
  since: timeSchema,
  author: knownPersonSchema,
  /** Whether the author has edited the post since it was hidden. */
  is_edited: z.boolean(),
  reports: z.array(
    z.object({
      reason: z.enum(REPORT_REASONS),
      text: z.nullable(z.string()),
      /** The person who reported; null once their account is deleted. */
      reporter_id: z.nullable(z.string()),
      created_at: timeSchema,
      /** The reported claim. Null for a report on the post itself. */
      claim: z.nullable(reportedClaimSchema),
    }),
  ),
  /** All people who reported the post or its claims, and who still have an account. */
  reporters: z.array(knownPersonSchema),
  decided_at: z.nullable(timeSchema),
};

/** A case: a post with its reports, newest first. For a deleted post, only the id is stored. */
export const reportedPostSchema = z.union([
  z.object({ ...caseShape, post: postSchema, decision: z.nullable(adminDecisionSchema) }),
  z.object({ ...caseShape, post: z.object({ id: z.string() }), decision: z.literal('post_deleted') }),
]);
export type ReportedPost = z.infer<typeof reportedPostSchema>;

const LOGGED_ACTIONS = [
  'hide',
  'restore',
  'undo',
  'suspend',
  'reinstate',
  'switch_off',
  'switch_on',
  'approve',
  'reject',
  'approve_name',
  'reject_name',
  'appoint',
  'grant_admin',
  'revoke_admin',
  'feedback_done',
  'post_deleted',
] as const;
const LOGGED_TARGETS = ['post', 'user', 'switch', 'community', 'feedback'] as const;
export type LoggedAction = (typeof LOGGED_ACTIONS)[number];
export type LoggedTarget = (typeof LOGGED_TARGETS)[number];

/** The filters of the log. If a request has no filter, all entries are listed. */
export const logQuerySchema = z.object({
  action: z.optional(z.enum(LOGGED_ACTIONS, { error: 'log_filter_invalid' })),
  target_type: z.optional(z.enum(LOGGED_TARGETS, { error: 'log_filter_invalid' })),
  actor_id: z.optional(z.string().check(z.maxLength(64, { error: 'log_filter_invalid' }))),
  ...timePageShape,
});
export type LogQuery = z.infer<typeof logQuerySchema>;

/** An action on a post, a person, a community, feedback, or a switch (which turns a feature of the app on or off). */
export const logEntrySchema = z.object({
  id: z.string(),
  /**
   * Null if the actor's account is deleted, or if nobody acted in the app: for example, three reports hid a post, or an
   * operator used the command line.
   */
  actor_id: z.nullable(z.string()),
  /** The actor's current name; null if `actor_id` is. */
  actor_name: z.nullable(z.string()),
  action: z.enum(LOGGED_ACTIONS),
  target_type: z.enum(LOGGED_TARGETS),
  /** An id, or a switch's name. Null once the person concerned has deleted their account. */
  target_id: z.nullable(z.string()),
  /**
   * A post's title, a person's or community's name, or the e-mail address of the person who sent the feedback. Null for
   * a switch or a deleted target.
   */
  target_name: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  created_at: timeSchema,
});
export type LogEntry = z.infer<typeof logEntrySchema>;
