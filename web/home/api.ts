import type { FeedbackInput } from '#contract/feedback.ts';
import { api } from '#web/lib/api-client.ts';

export function sendFeedback(feedback: FeedbackInput): Promise<unknown> {
  return api('POST /feedback', { body: feedback });
}
