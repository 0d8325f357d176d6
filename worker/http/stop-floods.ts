import { createMiddleware } from 'hono/factory';
import { AppError } from '#worker/errors/app-error.ts';
import { isWithinPlatformLimit } from '#worker/limits/platform-limiter.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { clientAddress } from './client-address.ts';

/** The limiter does not say when it allows requests again; it does after its period at the latest (wrangler.toml). */
const RETRY_SECONDS = 60;

// Counting requests in the database would cost a write for each, so the platform's limiter counts them. Writes that can
// be abused have exact limits of their own, too (worker/limits); so have those that need no token, which only those limit.

/** The platform sets the address of every request from outside; only tests have none. */
export const stopFloodsOfAddress = createMiddleware<AppEnv>(async (c, next) => {
  const isCounted = isRead(c) && c.req.header('CF-Connecting-IP') !== undefined;
  if (isCounted) await assertCalm(c, c.env.READS_OF_ADDRESS, clientAddress(c));
  await next();
});

/** The key includes the token's version, so that a revoked token cannot use up its owner's limit. */
export const stopFloodsOfPerson = createMiddleware<AppEnv>(async (c, next) => {
  const { viewer } = c.var;
  const limiter = isRead(c) ? c.env.READS_OF_PERSON : c.env.WRITES_OF_PERSON;
  if (viewer) await assertCalm(c, limiter, `${viewer.userId} ${viewer.tokenVersion}`);
  await next();
});

function isRead(c: AppContext): boolean {
  return c.req.method === 'GET' || c.req.method === 'HEAD';
}

/** @throws AppError too_many_requests for a request beyond the limit. */
async function assertCalm(c: AppContext, limiter: RateLimit, key: string): Promise<void> {
  if (await isWithinPlatformLimit(c.var.config, limiter, key)) return;
  throw new AppError('too_many_requests', { retryAfterSeconds: RETRY_SECONDS });
}
