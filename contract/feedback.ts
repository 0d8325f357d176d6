import * as z from 'zod/mini';
import { emailSchema } from './accounts.ts';
import { FEEDBACK_MESSAGE_MAX_CHARS } from './limits.ts';
import { pageQueryShape } from './paging.ts';
import { textSchema } from './text.ts';
import { timeSchema } from './time.ts';

export const feedbackInputSchema = z.object({
  email: emailSchema,
  message: textSchema({ max: FEEDBACK_MESSAGE_MAX_CHARS, required: 'message_required', lines: true }),
});
export type FeedbackInput = z.infer<typeof feedbackInputSchema>;

export const FEEDBACK_STATES = ['open', 'done'] as const;
export type FeedbackState = (typeof FEEDBACK_STATES)[number];

/** `GET /api/admin/feedback`. Without `state` all of it. */
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
  /** When an admin marked it as done; null while it is open. */
  done_at: z.nullable(timeSchema),
});
export type FeedbackEntry = z.infer<typeof feedbackEntrySchema>;
