import { api } from '#web/lib/api-client.ts';
import type { FeedbackInput } from '#worker/contract/feedback.ts';

export function sendFeedback(feedback: FeedbackInput): Promise<unknown> {
  return api('POST', '/feedback', { body: feedback });
}
