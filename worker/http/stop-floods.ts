import { createMiddleware } from 'hono/factory';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { clientAddress } from './client-address.ts';

/** The limiter does not say when it lets through again: at the latest after its period (wrangler.toml). */
const RETRY_SECONDS = 60;

// Reads cost the database more the more of them there are, and a count of them there would be a write each. So it is the
// platform that counts them; what is written has limits of its own, counted exactly (worker/limits).

/** The platform names the address of every request that comes from outside; what has none is a test. */
export const stopFloodsOfAddress = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.header('CF-Connecting-IP') !== undefined) await assertCalm(c, c.env.READS_OF_ADDRESS, clientAddress(c));
  await next();
});

/** By the token's version too: whoever holds a revoked token must not use up what its owner may read. */
export const stopFloodsOfPerson = createMiddleware<AppEnv>(async (c, next) => {
  const { viewer } = c.var;
  if (viewer) await assertCalm(c, c.env.READS_OF_PERSON, `${viewer.userId} ${viewer.tokenVersion}`);
  await next();
});

/** @throws AppError too_many_requests for a read beyond what the limiter lets through. */
async function assertCalm(c: AppContext, limiter: RateLimit, key: string): Promise<void> {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (!isRead || !c.var.config.areRateLimitsOn) return;
  const { success } = await limiter.limit({ key });
  if (!success) throw new AppError('too_many_requests', { retryAfterSeconds: RETRY_SECONDS });
}
