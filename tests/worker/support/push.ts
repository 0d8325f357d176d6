import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import type { PushJob } from '#contract/jobs.ts';
import { PushService } from '#tests/support/push-service.ts';
import type { Env } from '#worker/env.ts';
import { consumeDeadPushes, consumePushes } from '#worker/push/send-push.ts';
import { call } from './api.ts';
import { deliverJob } from './mortal-env.ts';

export const PUSH_ORIGIN = 'https://fcm.googleapis.com';

/** A push service behind `fetch` that records every request, and the dead letters. */
export function standInForPush(vars: Record<string, string> = {}) {
  const service = new PushService(PUSH_ORIGIN);
  const requests: RequestInit[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push(init);
    return service.answer(new Request(url, init));
  });
  const deadLetters: PushJob[] = [];
  const send = async (job: PushJob) => void deadLetters.push(job);
  return { service, requests, deadLetters, env: { ...env, PUSH_DEAD_QUEUE: { send }, ...vars } as unknown as Env };
}

type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } };

export function put({ endpoint, keys }: Subscription, person: { token: string }): Promise<Response> {
  return call('PUT', '/api/push/subscriptions', { endpoint, keys }, person);
}

/** The person's browsers, the oldest first. */
export async function subscriptionsOf(person: { id: string }): Promise<{ id: string; endpoint: string }[]> {
  const { results } = await env.DB.prepare(
    'select id, endpoint from push_subscriptions where user_id = ? order by put_at, rowid',
  )
    .bind(person.id)
    .all<{ id: string; endpoint: string }>();
  return results;
}

/** @see deliverJob */
export function deliverPush(
  bindings: Env,
  job: PushJob,
  { attempts = 1, ageSeconds = 0, queue = 'patikana-push' } = {},
) {
  const timestamp = new Date(Date.now() - ageSeconds * 1000);
  const consume = queue.endsWith('-dead') ? consumeDeadPushes : consumePushes;
  return deliverJob({ queue, job, attempts, timestamp, consume: (batch) => consume(batch, bindings) });
}
