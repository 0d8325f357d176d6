import { createMiddleware } from 'hono/factory';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { recordUse } from './store.ts';

const HOUR_MS = 60 * 60 * 1000;
/** More sessions than an isolate sees in an hour; it then begins to ask anew. */
const SESSIONS_MAX = 20_000;

/** When this isolate last saw to it that a session's use is written. */
const notedAt = new Map<string, number>();

/** Notes that a device was used, after the answer and about once an hour, so that no request waits for it or pays for it. */
export const noteUse = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const { viewer, db } = c.var;
  const now = Date.now();
  if (!viewer?.hasDevice || c.res.status === 401 || now - (notedAt.get(viewer.sessionId) ?? 0) < HOUR_MS) return;
  if (notedAt.size >= SESSIONS_MAX) notedAt.clear();
  notedAt.set(viewer.sessionId, now);
  continueAfterAnswer(c, recordUse(db, viewer.sessionId, now));
});
