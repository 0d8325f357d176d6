import { feedbackInputSchema } from '#contract/feedback.ts';
import { type FieldMessage, isFieldMessage } from '#contract/messages/field-message.ts';

type FeedbackProblems = Partial<Record<'email' | 'message', { key: FieldMessage; max: number }>>;

/** What the Worker would refuse, by the Worker's own schema. */
export function findFeedbackProblems(feedback: { email: string; message: string }): FeedbackProblems {
  const problems: FeedbackProblems = {};
  for (const issue of feedbackInputSchema.safeParse(feedback).error?.issues ?? []) {
    const field = issue.path[0] === 'email' ? 'email' : 'message';
    const key = isFieldMessage(issue.message) ? issue.message : 'text_invalid';
    problems[field] ??= { key, max: issue.code === 'too_big' ? Number(issue.maximum) : 0 };
  }
  return problems;
}
