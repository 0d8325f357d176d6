import { createMiddleware } from 'hono/factory';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppEnv } from './app-env.ts';

/** For routes that exist only on a developer's machine, with the local transport. */
export const requireLocalTransport = createMiddleware<AppEnv>(async (c, next) => {
  if (c.var.config.whatsapp.transport !== 'local') throw new AppError('not_found');
  await next();
});
