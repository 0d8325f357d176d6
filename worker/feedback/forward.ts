import type { FeedbackInput } from '#contract/feedback.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log } from '#worker/errors/log.ts';

const TIMEOUT_MS = 10_000;

/** Forwards the feedback to the form service. It is already stored, so a failure is only logged. */
export async function forwardFeedback(formUrl: string, feedback: FeedbackInput): Promise<void> {
  try {
    const answer = await fetch(formUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(feedback),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) log.warn('feedback_not_forwarded', { status: answer.status });
  } catch (error) {
    log.warn('feedback_not_forwarded', { name: errorName(error) });
  }
}
