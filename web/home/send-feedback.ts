import i18next from 'i18next';
import { feedbackInputSchema } from '#contract/admin.ts';
import { isFieldMessage } from '#contract/field-messages.ts';
import { ApiError, api } from '#web/api/client.ts';
import { loadTexts } from '#web/lib/i18n.ts';

type Feedback = { email: string; message: string };
export type FeedbackProblems = Partial<Feedback>;

/**
 * Sends feedback.
 * @returns a sentence for each invalid field, from our schema or the Worker; null once the feedback is sent.
 * @throws ApiError if sending fails for another reason.
 */
export async function sendFeedback(feedback: Feedback): Promise<FeedbackProblems | null> {
  const problems = await findProblems(feedback);
  if (problems) return problems;
  try {
    await api('POST /feedback', { body: feedback });
    return null;
  } catch (error) {
    if (!(error instanceof ApiError) || error.errors.length === 0) throw error;
    return Object.fromEntries(error.errors.map(({ field, message }) => [field, message]));
  }
}

async function findProblems(feedback: Feedback): Promise<FeedbackProblems | null> {
  const { error } = feedbackInputSchema.safeParse(feedback);
  if (!error) return null;
  await loadTexts('fields');
  const problems: FeedbackProblems = {};
  for (const issue of error.issues) {
    const field = issue.path[0] === 'email' ? 'email' : 'message';
    const key = isFieldMessage(issue.message) ? issue.message : 'text_invalid';
    problems[field] ??= i18next.t(`fields:${key}`, { max: issue.code === 'too_big' ? Number(issue.maximum) : 0 });
  }
  return problems;
}
