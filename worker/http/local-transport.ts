import { createMiddleware } from 'hono/factory';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppEnv } from './app-env.ts';

/** For a developer's machine: under any transport but the local one the routes behind it do not exist. */
export const requireLocalTransport = createMiddleware<AppEnv>(async (c, next) => {
  if (c.var.config.whatsapp.transport !== 'local') throw new AppError('not_found');
  await next();
});
