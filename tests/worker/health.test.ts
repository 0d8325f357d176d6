import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MINUTE_MS } from '#contract/durations.ts';
import type { Health } from '#contract/operating.ts';
import { app } from '#worker/app.ts';
import { openDb } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { checkHealth } from '#worker/health/check-health.ts';
import { sendHeartbeat } from '#worker/health/index.ts';
import { readHeartbeat } from '#worker/health/store.ts';
import worker from '#worker/index.ts';
import { call, ORIGIN } from './support/api.ts';

/** Every test asks at a moment of its own, for an answer is kept for ten seconds. */
let now = Date.now();

beforeEach(() => {
  now += 10 * MINUTE_MS;
});
afterEach(() => {
  vi.useRealTimers();
});

async function setHeartbeat(beatAt: number): Promise<void> {
  await env.DB.prepare('update heartbeats set beat_at = ?').bind(beatAt).run();
}

function broken(name: 'DB' | 'PHOTOS'): Env {
  const refuse = () => {
    throw new Error('no answer');
  };
  return { ...env, [name]: { withSession: refuse, head: refuse } } as unknown as Env;
}

test('a Worker whose database, storage and queue answer is well, for anybody who asks', async () => {
  const answer = await call('GET', '/api/health');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  const { status, checks, version } = await answer.json<Health>();
  expect({ status, checks }).toEqual({ status: 'ok', checks: { database: 'ok', storage: 'ok', queue: 'ok' } });
  expect(version).toBeTruthy();
});

test('a heartbeat is late once it was due five minutes ago, and not before', async () => {
  await setHeartbeat(now - 6 * MINUTE_MS + 1);
  expect((await checkHealth(env, now)).checks.queue).toBe('ok');
  await setHeartbeat(now - 6 * MINUTE_MS);
  const late = await checkHealth(env, now + MINUTE_MS);
  expect(late).toMatchObject({ status: 'degraded', checks: { database: 'ok', storage: 'ok', queue: 'failing' } });
});

test('what is deployed answers with its version', async () => {
  const deployed = { ...env, VERSION: { id: 'a-deployed-version', tag: '', timestamp: '' } };
  expect((await checkHealth(deployed, now)).version).toBe('a-deployed-version');
});

test('an answer is kept for ten seconds', async () => {
  await setHeartbeat(now);
  expect((await checkHealth(env, now)).status).toBe('ok');
  await setHeartbeat(0);
  expect((await checkHealth(env, now + 9_999)).status).toBe('ok');
  expect((await checkHealth(env, now + 10_000)).status).toBe('degraded');
});

test('a database or a bucket that does not answer is named', async () => {
  await setHeartbeat(now);
  expect((await checkHealth(broken('DB'), now)).checks).toMatchObject({ database: 'failing', storage: 'ok' });
  const later = await checkHealth(broken('PHOTOS'), now + MINUTE_MS);
  expect(later).toMatchObject({
    status: 'degraded',
    checks: { database: 'ok', storage: 'failing', queue: 'ok' },
  });
  expect((await checkHealth(env, now + 2 * MINUTE_MS)).status).toBe('ok');
});

test('what does not answer within three seconds is failing, and keeps nobody waiting for longer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const never = { ...env, PHOTOS: { head: () => new Promise(() => {}) } } as unknown as Env;
  await setHeartbeat(now);
  const settled = vi.fn();
  const asked = checkHealth(never, now).then(settled);
  await vi.advanceTimersByTimeAsync(2_999);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await asked;
  expect(settled.mock.calls).toMatchObject([[{ status: 'degraded', checks: { storage: 'failing' } }]]);
});

test('a Worker that is not well answers 503, and one that nobody deployed calls itself local', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  await setHeartbeat(now - 6 * MINUTE_MS);
  const bindings: object = { ...env, VERSION: undefined };
  const answer = await app.request(`${ORIGIN}/api/health`, {}, bindings as Env, createExecutionContext());
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { status: 'degraded', version: 'local', checks: { database: 'ok', storage: 'ok', queue: 'failing' } },
  ]);
});

test('a database in which no heartbeat was ever written down answers, and its queue fails', async () => {
  const row = await env.DB.prepare('select name from heartbeats').first<{ name: string }>();
  await env.DB.prepare('delete from heartbeats').run();
  expect((await checkHealth(env, now)).checks).toMatchObject({ database: 'ok', queue: 'failing' });
  await env.DB.prepare('insert into heartbeats (name, beat_at) values (?, 0)').bind(row?.name).run();
});

test('the queue brings the heartbeat that says it is well', async () => {
  await setHeartbeat(0);
  const send = vi.fn();
  await sendHeartbeat({ WHATSAPP_QUEUE: { send } as unknown as Env['WHATSAPP_QUEUE'] });
  expect(send.mock.calls).toEqual([[{ kind: 'heartbeat' }, { contentType: 'json' }]]);
  const message = { id: '1', timestamp: new Date(), attempts: 1, body: { kind: 'heartbeat' as const } };
  const batch = createMessageBatch('patikana-whatsapp', [message]);
  const ctx = createExecutionContext();
  await worker.queue(batch, env);
  expect((await getQueueResult(batch, ctx)).explicitAcks).toEqual(['1']);
  expect(Date.now() - (await readHeartbeat(openDb(env)))).toBeLessThan(MINUTE_MS);
});
