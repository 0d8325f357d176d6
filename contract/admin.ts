import * as z from 'zod/mini';
import { SEARCH_MAX_CHARS } from './limits.ts';
import { knownPersonSchema, logEntrySchema } from './moderation.ts';
import { postSchema } from './posts.ts';
import { REPORT_REASONS } from './report-reasons.ts';
import { timeSchema } from './time.ts';

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
