import { createMiddleware } from 'hono/factory';
import { AppError } from '#worker/errors/app-error.ts';
import { isWithinPlatformLimit } from '#worker/limits/platform-limiter.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { clientAddress } from './client-address.ts';

/** The limiter does not say when it allows requests again; it does after its period at the latest (wrangler.toml). */
const RETRY_SECONDS = 60;

// Counting reads in the database would cost a write for each, so the platform's limiter counts them. Writes have exact
// limits of their own (worker/limits).

/** The platform sets the address of every request from outside; only tests have none. */
export const stopFloodsOfAddress = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.header('CF-Connecting-IP') !== undefined) await assertCalm(c, c.env.READS_OF_ADDRESS, clientAddress(c));
  await next();
});

/** The key includes the token's version, so that a revoked token cannot use up its owner's limit. */
export const stopFloodsOfPerson = createMiddleware<AppEnv>(async (c, next) => {
  const { viewer } = c.var;
  if (viewer) await assertCalm(c, c.env.READS_OF_PERSON, `${viewer.userId} ${viewer.tokenVersion}`);
  await next();
});

/** @throws AppError too_many_requests for a read beyond the limit. */
async function assertCalm(c: AppContext, limiter: RateLimit, key: string): Promise<void> {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (!isRead || (await isWithinPlatformLimit(c.var.config, limiter, key))) return;
  throw new AppError('too_many_requests', { retryAfterSeconds: RETRY_SECONDS });
}
