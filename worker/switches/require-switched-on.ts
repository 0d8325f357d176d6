import { createMiddleware } from 'hono/factory';
import type { Switch } from '#contract/operating.ts';
import type { Db } from '#worker/db/client.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { listSwitchedOff } from './store.ts';

/** A switch is in force within ten seconds, in every isolate; that the writes behind it ask costs a read in this time. */
const KEPT_MS = 5_000;

/** The answer and not its promise: one that another request began never settles when that request is cancelled. */
let kept: { names: Switch[]; until: number } | null = null;

/** Answers 503 to what is switched off. For routes that write: what was written can be read, and deleted, all the time. */
export function requireSwitchedOn(name: Exclude<Switch, 'whatsapp_notices'>) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if ((await readKept(c.var.db, Date.now())).includes(name)) throw new AppError('switched_off');
    await next();
  });
}

/** Whoever has turned one sees it in force at once where they did. */
export function forgetSwitches(): void {
  kept = null;
}

async function readKept(db: Db, now: number): Promise<Switch[]> {
  if (kept === null || kept.until <= now) kept = { names: await listSwitchedOff(db), until: now + KEPT_MS };
  return kept.names;
}
