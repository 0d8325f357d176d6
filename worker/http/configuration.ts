import { createMiddleware } from 'hono/factory';
import { openDb } from '#worker/db/client.ts';
import { readConfig } from '#worker/env.ts';
import type { AppEnv } from './app-env.ts';

/**
 * Parses the variables and opens the request's database session. Without its secrets the Worker answers 503
 * (answer-error.ts).
 */
export const withConfiguration = createMiddleware<AppEnv>(async (c, next) => {
  c.set('config', readConfig(c.env));
  c.set('db', openDb(c.env));
  await next();
});
