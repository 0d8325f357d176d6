import type { FeedbackInput } from '#contract/feedback.ts';
import { api } from '#web/lib/api-client.ts';

export function sendFeedback(feedback: FeedbackInput): Promise<unknown> {
  return api('POST /feedback', { body: feedback });
}

/** How many things are back with their owners; null while they are few. A browser keeps the answer for an hour. */
export async function countReturned(signal: AbortSignal): Promise<number | null> {
  return (await api('GET /returned-things', { signal })).count;
}
