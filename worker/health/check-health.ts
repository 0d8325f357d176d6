import type { Health } from '#contract/operating.ts';
import { openDb } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { answerInTime } from '#worker/errors/answer-in-time.ts';
import { readHeartbeat } from './store.ts';

/** The cron sends a heartbeat a minute; one that is this much late was not consumed. */
const HEARTBEAT_DUE_MS = 60_000 + 5 * 60_000;
const CHECK_TIMEOUT_MS = 3_000;
/** So that a monitor, or many, cost the database one read in this time and isolate. */
const KEPT_MS = 10_000;
/** No photo is called so: that there is none is an answer. */
const PROBE_OBJECT = 'health';

/** The answer and not its promise: one that another request began never settles when that request is cancelled. */
let kept: { health: Health; until: number } | null = null;

/** What the Worker stands on, asked at most every ten seconds. */
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

/** @returns null when there is no answer in time, or an error. */
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
