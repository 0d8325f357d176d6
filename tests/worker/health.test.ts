import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import type { Health } from '#contract/operating.ts';
import { openDb } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { checkHealth } from '#worker/health/check-health.ts';
import { readHeartbeat } from '#worker/health/store.ts';
import worker from '#worker/index.ts';
import { call } from './support/api.ts';

const MINUTE_MS = 60_000;
/** Every test asks at a moment of its own, for an answer is kept for ten seconds. */
let now = Date.now();

beforeEach(() => {
  now += 10 * MINUTE_MS;
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
  expect(later.checks).toEqual({ database: 'ok', storage: 'failing', queue: 'ok' });
});

test('the queue brings the heartbeat that says it is well', async () => {
  await setHeartbeat(0);
  const message = { id: '1', timestamp: new Date(), attempts: 1, body: { kind: 'heartbeat' as const } };
  const batch = createMessageBatch('patikana-whatsapp', [message]);
  const ctx = createExecutionContext();
  await worker.queue(batch, env);
  expect((await getQueueResult(batch, ctx)).explicitAcks).toEqual(['1']);
  expect(Date.now() - (await readHeartbeat(openDb(env)))).toBeLessThan(MINUTE_MS);
});
