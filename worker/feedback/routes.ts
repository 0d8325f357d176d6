import { Hono } from 'hono';
import { feedbackInputSchema } from '#contract/feedback.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { clientAddress } from '#worker/http/client-address.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { assertWithinLimit, RATE_LIMITS, rateSubject } from '#worker/limits/rate-limits.ts';
import { forwardFeedback } from './forward.ts';
import { insertFeedback } from './store.ts';

export const feedbackRoutes = new Hono<AppEnv>().post(
  '/',
  requireJson,
  validate('json', feedbackInputSchema),
  async (c) => {
    const { config, db } = c.var;
    const feedback = c.req.valid('json');
    const now = Date.now();
    const subject = rateSubject(config, 'feedback_address', clientAddress(c));
    const max = config.areRateLimitsOn ? RATE_LIMITS.feedback_address.max : Number.MAX_SAFE_INTEGER;
    const counted = await insertFeedback(db, feedback, { subject, max, now });
    assertWithinLimit(config, 'feedback_address', counted, now);
    if (config.feedbackFormUrl) c.executionCtx.waitUntil(forwardFeedback(config.feedbackFormUrl, feedback));
    return c.json({ success: true }, 201);
  },
);
