import * as z from 'zod/mini';
import { approvalStatusSchema } from './communities.ts';
import { emailSchema, pageQueryShape, textSchema, timeSchema } from './fields.ts';
import { CLIENT_ERROR_FRAME, REPORT_REASONS } from './kinds.ts';
import { CLIENT_ERROR_FRAMES_MAX, FEEDBACK_MESSAGE_MAX_CHARS, SEARCH_MAX_CHARS } from './limits.ts';
import { knownPersonSchema, logEntrySchema } from './moderation.ts';
import { postSchema } from './posts.ts';

/** `q`: a person's e-mail, phone number, name or id, or the id of a post, or words from a post. */
export const adminSearchQuerySchema = z.object({
  q: z._default(z.string().check(z.trim(), z.maxLength(SEARCH_MAX_CHARS, { error: 'text_too_long' })), ''),
});

/**
 * The results of a platform admin's search: at most `ADMIN_FOUND_MAX` people, and at most `ADMIN_FOUND_MAX` posts,
 * newest first.
 */
export const adminFoundSchema = z.object({ people: z.array(knownPersonSchema), posts: z.array(postSchema) });
export type AdminFound = z.infer<typeof adminFoundSchema>;

/** A platform admin. A suspended admin keeps the role, but cannot use it until reinstated. */
export const platformAdminSchema = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  is_suspended: z.boolean(),
  granted_at: timeSchema,
});
export type PlatformAdmin = z.infer<typeof platformAdminSchema>;

const reportSchema = z.object({
  reason: z.enum(REPORT_REASONS),
  text: z.nullable(z.string()),
  reporter_id: z.nullable(z.string()),
  post_id: z.string(),
  created_at: timeSchema,
});

/**
 * A person as platform admins see them, with the person's newest posts and the newest reports and log entries about the
 * person.
 */
export const adminPersonSchema = z.object({
  ...knownPersonSchema.shape,
  email: z.string(),
  /** The person's phone number; null once another account has proven it. */
  whatsapp_number: z.nullable(z.string()),
  is_platform_admin: z.boolean(),
  suspended_at: z.nullable(timeSchema),
  suspension_reason: z.nullable(z.string()),
  posts: z.array(postSchema),
  reports: z.array(reportSchema),
  log: z.array(logEntrySchema),
});
export type AdminPerson = z.infer<typeof adminPersonSchema>;

export const adminPostSchema = z.object({
  post: postSchema,
  author: knownPersonSchema,
  reports: z.array(reportSchema),
  log: z.array(logEntrySchema),
});
export type AdminPost = z.infer<typeof adminPostSchema>;

/** One day's counts for platform admins. Each count stops at `WEEK_COUNT_MAX`; a day begins at midnight in Tanzania. */
export const adminDaySchema = z.object({
  /** The day of the counts, such as 2026-11-22. */
  day: z.string(),
  posts: z.number(),
  matches_told: z.number(),
  not_this_one: z.number(),
  returned: z.number(),
  reports: z.number(),
});
export type AdminDay = z.infer<typeof adminDaySchema>;

/** A community with the data that a platform admin needs to approve or reject the community or its new name. */
export const adminCommunitySchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  approval_status: approvalStatusSchema,
  creator_username: z.string(),
  member_count: z.number(),
  created_at: timeSchema,
  /** Whether the community has an admin who is not suspended. If not, a platform admin should appoint a member. */
  has_admin: z.boolean(),
  closes_at: z.nullable(timeSchema),
  suspended_at: z.nullable(timeSchema),
  suspension_reason: z.nullable(z.string()),
  /** The requested new name; null without such a request, or if the community itself is pending. */
  pending_name: z.nullable(z.string()),
  /** The person who asked for the community or for its new name. */
  asker: knownPersonSchema,
  /** The asker's phone number; null once another account has proven it. */
  asker_whatsapp_number: z.nullable(z.string()),
  /** The asker's earlier requests that were rejected, newest first; empty if no decision is pending. */
  earlier_rejections: z.array(z.object({ name: z.string(), reason: z.string(), rejected_at: timeSchema })),
});
export type AdminCommunity = z.infer<typeof adminCommunitySchema>;

/**
 * Features that a platform admin can switch off. While `whatsapp_notices` is off, no WhatsApp notices are sent. While
 * one of the other features is off, writes to it answer 503.
 */
export const SWITCHES = ['registration', 'photos', 'claims', 'whatsapp_notices'] as const;
export type Switch = (typeof SWITCHES)[number];

const positionSchema = z.boolean({ error: 'yes_or_no' });
/** `PUT /api/admin/switches`: all four switches are required; true means on. */
export const switchesSchema = z.object({
  registration: positionSchema,
  photos: positionSchema,
  claims: positionSchema,
  whatsapp_notices: positionSchema,
} satisfies Record<Switch, typeof positionSchema>);
export type Switches = z.infer<typeof switchesSchema>;

const checkSchema = z.enum(['ok', 'failing']);

/** `GET /api/health`: 200 if all checks pass, otherwise 503 and `degraded`. */
export const healthSchema = z.object({
  status: z.enum(['ok', 'degraded']),
  version: z.string(),
  checks: z.object({ database: checkSchema, storage: checkSchema, queue: checkSchema }),
});
export type Health = z.infer<typeof healthSchema>;

export const feedbackInputSchema = z.object({
  email: emailSchema,
  message: textSchema({ max: FEEDBACK_MESSAGE_MAX_CHARS, required: 'message_required', lines: true }),
});
export type FeedbackInput = z.infer<typeof feedbackInputSchema>;

export const FEEDBACK_STATES = ['open', 'done'] as const;
export type FeedbackState = (typeof FEEDBACK_STATES)[number];

/** `GET /api/admin/feedback`. Without `state`, lists open and done feedback. */
export const feedbackListQuerySchema = z.object({
  state: z.optional(z.enum(FEEDBACK_STATES, { error: 'feedback_state_invalid' })),
  ...pageQueryShape,
});
export type FeedbackListQuery = z.infer<typeof feedbackListQuerySchema>;

export const feedbackEntrySchema = z.object({
  id: z.string(),
  email: z.string(),
  message: z.string(),
  created_at: timeSchema,
  /** When an admin marked the feedback as done; null while it is open. */
  done_at: z.nullable(timeSchema),
});
export type FeedbackEntry = z.infer<typeof feedbackEntrySchema>;

/** `POST /api/client-errors`: an error's class name and stack frames. The message is omitted: it may quote a user. */
export const clientErrorSchema = z.object({
  name: z.string().check(z.regex(/^[A-Za-z]{1,40}$/)),
  frames: z
    .array(z.string().check(z.regex(new RegExp(`^${CLIENT_ERROR_FRAME.source}$`))))
    .check(z.minLength(1), z.maxLength(CLIENT_ERROR_FRAMES_MAX)),
});
export type ClientError = z.infer<typeof clientErrorSchema>;
