import * as z from 'zod/mini';
import { approvalStatusSchema } from './communities.ts';
import { NOTICE_DAYS_DEFAULT, NOTICE_DAYS_MAX, SEARCH_MAX_CHARS } from './limits.ts';
import { LIVE_MESSAGE_TYPES } from './live-messages.ts';
import { knownPersonSchema, logEntrySchema } from './moderation.ts';
import { postSchema } from './posts.ts';
import { REPORT_REASONS } from './report-reasons.ts';
import { timeSchema } from './time.ts';
import { wholeNumberSchema } from './whole-number.ts';

/** `q` is an e-mail, a number, a name or an id of a person, or the id or words of a post. */
export const adminSearchQuerySchema = z.object({
  q: z._default(z.string().check(z.trim(), z.maxLength(SEARCH_MAX_CHARS, { error: 'text_too_long' })), ''),
});

/** Both at most `ADMIN_FOUND_MAX`, posts newest first. */
export const adminFoundSchema = z.object({ people: z.array(knownPersonSchema), posts: z.array(postSchema) });
export type AdminFound = z.infer<typeof adminFoundSchema>;

const reportSchema = z.object({
  reason: z.enum(REPORT_REASONS),
  text: z.nullable(z.string()),
  reporter_id: z.nullable(z.string()),
  post_id: z.string(),
  created_at: timeSchema,
});

/** A person as the platform's admins know them, with the newest of their posts, of the reports on them and of what was done. */
export const adminPersonSchema = z.object({
  ...knownPersonSchema.shape,
  email: z.string(),
  /** Null for an account that lost its number to whoever proved it. */
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

/** A day in Tanzania; each number stops at `WEEK_COUNT_MAX`. */
export const adminDaySchema = z.object({
  /** As 2026-11-22. */
  day: z.string(),
  posts: z.number(),
  matches_told: z.number(),
  not_this_one: z.number(),
  returned: z.number(),
  reports: z.number(),
});
export type AdminDay = z.infer<typeof adminDaySchema>;

export const noticeDaysQuerySchema = z.object({
  days: wholeNumberSchema({ max: NOTICE_DAYS_MAX, fallback: NOTICE_DAYS_DEFAULT, error: 'days_invalid' }),
});

/** How far a notice can come, in this order as a rule. */
export const NOTICE_STEPS = ['stored', 'acknowledged', 'pushed', 'whatsapp', 'emailed', 'opened', 'dismissed'] as const;

/** The notices of a type that were stored on a day in Tanzania, and how many of them have come how far by now. */
export const adminNoticeDaySchema = z.object({
  /** As 2026-11-22. */
  day: z.string(),
  type: z.enum(LIVE_MESSAGE_TYPES),
  stored: z.number(),
  /** A page has shown them. */
  acknowledged: z.number(),
  /** A push service, Meta, the e-mails' sender has taken them. */
  pushed: z.number(),
  whatsapp: z.number(),
  emailed: z.number(),
  /** Their reader opened them, or the list that they stand in. */
  opened: z.number(),
  /** Their reader said that it is not this one. */
  dismissed: z.number(),
} satisfies Record<(typeof NOTICE_STEPS)[number], z.ZodMiniType> & Record<'day' | 'type', z.ZodMiniType>);
export type AdminNoticeDay = z.infer<typeof adminNoticeDaySchema>;

/** A community as the platform's admins judge it: with what a decision on it, or on its new name, needs. */
export const adminCommunitySchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  approval_status: approvalStatusSchema,
  creator_username: z.string(),
  member_count: z.number(),
  created_at: timeSchema,
  /** Where nobody is, a member is to be appointed. */
  has_admin: z.boolean(),
  closes_at: z.nullable(timeSchema),
  /** The name that it is to have; null where the community itself waits, or nothing does. */
  pending_name: z.nullable(z.string()),
  /** Who asks: for the name that waits, else for the community. */
  asker: knownPersonSchema,
  /** Whom to call; null for an account that lost its number. */
  asker_whatsapp_number: z.nullable(z.string()),
  /** What the asker was refused before, the newest first; empty for what does not wait. */
  earlier_rejections: z.array(z.object({ name: z.string(), reason: z.string(), rejected_at: timeSchema })),
});
export type AdminCommunity = z.infer<typeof adminCommunitySchema>;
