import { Hono } from 'hono';
import type { Health } from '#contract/operating.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { checkHealth } from './check-health.ts';

export const healthRoutes = new Hono<AppEnv>().get('/', async (c) => {
  const health = await checkHealth(c.env, Date.now());
  return c.json(health satisfies Health, health.status === 'ok' ? 200 : 503);
});
