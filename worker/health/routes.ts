import { Hono } from 'hono';
import { clientErrorSchema, type Health } from '#contract/admin.ts';
import { MINUTE_MS } from '#contract/durations.ts';
import { CLIENT_ERROR_MAX_BYTES } from '#contract/limits.ts';
import { openDb } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { answerInTime, log } from '#worker/errors/log.ts';
import { type AppEnv, clientAddress } from '#worker/http/context.ts';
import { readBody, requireJson, validate } from '#worker/http/validate.ts';
import { allowancesOf } from '#worker/limits/allowance.ts';
import { takeTurn } from '#worker/limits/attempts.ts';
import { readHeartbeat } from './heartbeat.ts';

export const healthRoutes = new Hono<AppEnv>().get('/', async (c) => {
  const health = await checkHealth(c.env, Date.now());
  return c.json(health satisfies Health, health.status === 'ok' ? 200 : 503);
});

/** Logs errors that browsers report, next to the Worker's own errors. */
export const clientErrorRoutes = new Hono<AppEnv>().post(
  '/',
  readBody(CLIENT_ERROR_MAX_BYTES),
  requireJson,
  validate('json', clientErrorSchema),
  async (c) => {
    const { name, frames } = c.req.valid('json');
    const { config, db } = c.var;
    await takeTurn(db, allowancesOf(config, 'client_error_address', clientAddress(c)), Date.now());
    log.warn('client_error', { name, frames });
    return c.body(null, 204);
  },
);

/** The cron sends a heartbeat every minute. If none was consumed for this long, the queue is failing. */
const HEARTBEAT_DUE_MS = 6 * MINUTE_MS;
const CHECK_TIMEOUT_MS = 3_000;
/** How long the result is cached. So any number of monitors cost one database read per isolate in this time. */
const KEPT_MS = 10_000;
/** A name that no photo has. If the bucket answers that this object is missing, the bucket works. */
const PROBE_OBJECT = 'health';

/** Caches the result, not a promise: a promise would never settle if the request that created it is cancelled. */
let kept: { health: Health; until: number } | null = null;

/** Checks the services that the Worker depends on, at most every ten seconds. */
export async function checkHealth(env: Env, now: number): Promise<Health> {
  if (kept === null || kept.until <= now) kept = { health: await askAll(env, now), until: now + KEPT_MS };
  return kept.health;
}

async function askAll(env: Env, now: number): Promise<Health> {
  const heartbeat = answerOf(() => readHeartbeat(openDb(env)));
  const storage = answerOf(async () => (await env.PHOTOS.head(PROBE_OBJECT)) === null);
  const [beatAt, isStored] = await Promise.all([heartbeat, storage]);
  const isOnTime = beatAt !== null && now - beatAt < HEARTBEAT_DUE_MS;
  const checks = { database: toCheck(beatAt !== null), storage: toCheck(isStored !== null), queue: toCheck(isOnTime) };
  const isOk = Object.values(checks).every((check) => check === 'ok');
  return { status: isOk ? 'ok' : 'degraded', version: env.VERSION?.id ?? 'local', checks };
}

/** Asks a service. @returns null on an error or a timeout. */
async function answerOf<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await answerInTime(ask, CHECK_TIMEOUT_MS);
  } catch {
    return null;
  }
}

function toCheck(isOk: boolean): Health['checks']['queue'] {
  return isOk ? 'ok' : 'failing';
}
