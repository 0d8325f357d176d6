import { Hono } from 'hono';
import { feedbackInputSchema } from '#contract/feedback.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { clientAddress } from '#worker/http/client-address.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { withPossibleViewer } from '#worker/http/viewer.ts';
import { allowanceOf, assertWithin } from '#worker/limits/allowance.ts';
import { forwardFeedback } from './forward.ts';
import { insertFeedback } from './store.ts';

export const feedbackRoutes = new Hono<AppEnv>().post(
  '/',
  withPossibleViewer,
  requireJson,
  validate('json', feedbackInputSchema),
  async (c) => {
    const { config, db, viewer } = c.var;
    const feedback = c.req.valid('json');
    const now = Date.now();
    const allowance = allowanceOf(config, 'feedback_address', clientAddress(c));
    assertWithin(allowance, await insertFeedback(db, viewer, { feedback, allowance, now }), now);
    if (config.feedbackFormUrl) continueAfterAnswer(c, forwardFeedback(config.feedbackFormUrl, feedback));
    return c.json({ success: true }, 201);
  },
);
