import { Hono } from 'hono';
import { feedbackInputSchema } from '#contract/feedback.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { clientAddress } from '#worker/http/client-address.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { allowancesOf } from '#worker/limits/networks.ts';
import { assertTurn } from '#worker/limits/turns.ts';
import { forwardFeedback } from './forward.ts';
import { insertFeedback } from './store.ts';

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
