import * as z from 'zod/mini';
import { emailSchema } from './accounts.ts';
import { FEEDBACK_MESSAGE_MAX_CHARS } from './limits.ts';
import { textSchema } from './text.ts';

export const feedbackInputSchema = z.object({
  email: emailSchema,
  message: textSchema({ max: FEEDBACK_MESSAGE_MAX_CHARS, required: 'message_required', lines: true }),
});
export type FeedbackInput = z.infer<typeof feedbackInputSchema>;

export type FeedbackEntry = { id: string; email: string; message: string; created_at: string };
