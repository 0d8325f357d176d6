import { Hono } from 'hono';
import { endedPushSubscriptionSchema, type PushKey, pushSubscriptionSchema } from '#contract/channels.ts';
import { AppError, type FieldProblem } from '#worker/errors/app-error.ts';
import type { AppEnv } from '#worker/http/context.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { deleteSubscription, isAuthSecret, isPoint, isPushService, putSubscription } from './subscriptions.ts';

/** Returns the public key with which browsers subscribe to pushes. Requires no session. */
export const pushKeyRoutes = new Hono<AppEnv>().get('/key', (c) => {
  const { vapid } = c.var.config.push;
  if (vapid === null) throw new AppError('push_unavailable');
  return c.json({ public_key: vapid.publicKey } satisfies PushKey);
});

export const pushRoutes = new Hono<AppEnv>()
  .put('/subscriptions', requireViewer, requireJson, validate('json', pushSubscriptionSchema), async (c) => {
    const { db, viewer, config } = c.var;
    const subscription = c.req.valid('json');
    const { endpoint, keys } = subscription;
    const fields: FieldProblem[] = [];
    if (!isPushService(endpoint, config.push)) fields.push({ field: 'endpoint', message: 'endpoint_invalid' });
    if (!(await isPoint(keys.p256dh))) fields.push({ field: 'keys.p256dh', message: 'push_key_invalid' });
    if (!isAuthSecret(keys.auth)) fields.push({ field: 'keys.auth', message: 'push_key_invalid' });
    if (fields.length > 0) throw new AppError('validation_failed', { fields });
    await putSubscription(db, viewer, subscription, Date.now());
    return c.body(null, 204);
  })
  .delete('/subscriptions', requireViewer, requireJson, validate('json', endedPushSubscriptionSchema), async (c) => {
    await deleteSubscription(c.var.db, c.var.viewer, c.req.valid('json').endpoint);
    return c.body(null, 204);
  });
