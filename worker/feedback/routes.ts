import { sql } from 'drizzle-orm';
import { Hono } from 'hono';
import { type FeedbackInput, feedbackInputSchema } from '#contract/admin.ts';
import { batch, type Db, publishAs } from '#worker/db/client.ts';
import { errorName, log } from '#worker/errors/log.ts';
import { type AppEnv, clientAddress, continueAfterAnswer } from '#worker/http/context.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { newId } from '#worker/identity/digests.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { allowancesOf } from '#worker/limits/allowance.ts';
import { assertTurn, type Turns, takeTurnIfLeft } from '#worker/limits/attempts.ts';

export const feedbackRoutes = new Hono<AppEnv>().post(
  '/',
  requireJson,
  validate('json', feedbackInputSchema),
  async (c) => {
    const { config, db, viewer } = c.var;
    const feedback = c.req.valid('json');
    const now = Date.now();
    const turns = allowancesOf(config, 'feedback_address', clientAddress(c));
    assertTurn(await insertFeedback(db, viewer, { feedback, turns, now }), now);
    if (config.feedbackFormUrl) continueAfterAnswer(c, forwardFeedback(config.feedbackFormUrl, feedback));
    return c.json({ success: true }, 201);
  },
);

const TIMEOUT_MS = 10_000;

/** Forwards the feedback to the form service. The database already stores the feedback, so a failure is only logged. */
async function forwardFeedback(formUrl: string, feedback: FeedbackInput): Promise<void> {
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

/**
 * If the sender's IP address has not reached the limit, counts the message and stores it.
 * @returns `until`, the time from which the sender may send feedback again; null if the message was stored.
 */
async function insertFeedback(
  db: Db,
  viewer: Viewer | null,
  { feedback: { email, message }, turns, now }: { feedback: FeedbackInput; turns: Turns; now: number },
) {
  const plan = {
    turn: takeTurnIfLeft(db, turns, now),
    insertFeedback: db.run(sql`
      insert into feedback (id, email, message, created_at) select ${newId()}, ${email}, ${message}, ${now}
      where changes() > 0`),
  };
  const { turn } = viewer ? await publishAs(db, viewer, plan) : await batch(db, plan);
  return turn.wait;
}
