import { createMiddleware } from 'hono/factory';
import { HOUR_MS } from '#contract/durations.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { recordUse } from './store.ts';

/** More sessions than an isolate sees in an hour; beyond it the map is cleared. */
const SESSIONS_MAX = 20_000;

/** When this isolate last recorded a session's use. */
const notedAt = new Map<string, number>();

/** Records that a device was used, after the answer and about once an hour, so that it hardly costs anything. */
export const noteUse = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const { viewer, db } = c.var;
  const now = Date.now();
  if (!viewer || c.res.status === 401 || now - (notedAt.get(viewer.sessionId) ?? 0) < HOUR_MS) return;
  if (notedAt.size >= SESSIONS_MAX) notedAt.clear();
  notedAt.set(viewer.sessionId, now);
  continueAfterAnswer(c, recordUse(db, viewer.sessionId, now));
});
