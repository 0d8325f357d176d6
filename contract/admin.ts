import * as z from 'zod/mini';
import { approvalStatusSchema } from './communities.ts';
import { SEARCH_MAX_CHARS } from './limits.ts';
import { knownPersonSchema, logEntrySchema } from './moderation.ts';
import { postSchema } from './posts.ts';
import { REPORT_REASONS } from './report-reasons.ts';
import { timeSchema } from './time.ts';

/** `q` is a person's e-mail, number, name or id, or a post's id or words. */
export const adminSearchQuerySchema = z.object({
  q: z._default(z.string().check(z.trim(), z.maxLength(SEARCH_MAX_CHARS, { error: 'text_too_long' })), ''),
});

/** At most `ADMIN_FOUND_MAX` of each, posts newest first. */
export const adminFoundSchema = z.object({ people: z.array(knownPersonSchema), posts: z.array(postSchema) });
export type AdminFound = z.infer<typeof adminFoundSchema>;

/** A platform admin. A suspended one keeps the role, but can do nothing with it until reinstated. */
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

/** A person as platform admins see them, with their newest posts, reports on them, and log entries. */
export const adminPersonSchema = z.object({
  ...knownPersonSchema.shape,
  email: z.string(),
  /** Null for an account whose number somebody else has proven. */
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

/** A day in Tanzania. Numbers are counted up to `WEEK_COUNT_MAX`. */
export const adminDaySchema = z.object({
  /** Such as 2026-11-22. */
  day: z.string(),
  posts: z.number(),
  matches_told: z.number(),
  not_this_one: z.number(),
  returned: z.number(),
  reports: z.number(),
});
export type AdminDay = z.infer<typeof adminDaySchema>;

/** A community with what platform admins need to decide on it, or on its new name. */
export const adminCommunitySchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  approval_status: approvalStatusSchema,
  creator_username: z.string(),
  member_count: z.number(),
  created_at: timeSchema,
  /** If not, a member should be appointed. */
  has_admin: z.boolean(),
  closes_at: z.nullable(timeSchema),
  suspended_at: z.nullable(timeSchema),
  suspension_reason: z.nullable(z.string()),
  /** The requested new name; null if the community itself is pending, or nothing is. */
  pending_name: z.nullable(z.string()),
  /** The person who asks for the new name, or for the community. */
  asker: knownPersonSchema,
  /** Null for an account whose number somebody else has proven. */
  asker_whatsapp_number: z.nullable(z.string()),
  /** The asker's earlier rejections, newest first; empty if nothing is pending. */
  earlier_rejections: z.array(z.object({ name: z.string(), reason: z.string(), rejected_at: timeSchema })),
});
export type AdminCommunity = z.infer<typeof adminCommunitySchema>;
