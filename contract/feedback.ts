import * as z from 'zod/mini';
import { emailSchema } from './accounts.ts';
import { FEEDBACK_MESSAGE_MAX_CHARS } from './limits.ts';
import { textSchema } from './text.ts';
import { timeSchema } from './time.ts';

export const feedbackInputSchema = z.object({
  email: emailSchema,
  message: textSchema({ max: FEEDBACK_MESSAGE_MAX_CHARS, required: 'message_required', lines: true }),
});
export type FeedbackInput = z.infer<typeof feedbackInputSchema>;

export const feedbackEntrySchema = z.object({
  id: z.string(),
  email: z.string(),
  message: z.string(),
  created_at: timeSchema,
});
export type FeedbackEntry = z.infer<typeof feedbackEntrySchema>;
