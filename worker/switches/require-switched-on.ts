import { createMiddleware } from 'hono/factory';
import type { Switch } from '#contract/operating.ts';
import type { Db } from '#worker/db/client.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { listSwitchedOff } from './store.ts';

/** Each isolate reads the switches at most once in this time, so a switch takes effect everywhere within ten seconds. */
const KEPT_MS = 5_000;

/** Caches the result rather than a promise, which would never settle if the request that created it is cancelled. */
let kept: { names: Switch[]; until: number } | null = null;

/** Answers 503 if the feature is switched off. Only for routes that write: reading and deleting always work. */
export function requireSwitchedOn(name: Exclude<Switch, 'whatsapp_notices'>) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if ((await readKept(c.var.db, Date.now())).includes(name)) throw new AppError('switched_off');
    await next();
  });
}

/** After a change, so that it takes effect immediately in this isolate. */
export function forgetSwitches(): void {
  kept = null;
}

async function readKept(db: Db, now: number): Promise<Switch[]> {
  if (kept === null || kept.until <= now) kept = { names: await listSwitchedOff(db), until: now + KEPT_MS };
  return kept.names;
}
