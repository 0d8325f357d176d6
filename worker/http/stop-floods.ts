import { createMiddleware } from 'hono/factory';
import type { Config, Env } from '#worker/env.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { networksOf } from '#worker/limits/allowance.ts';
import { inForce } from '#worker/limits/limits.ts';
import { type AppContext, type AppEnv, clientAddress } from './context.ts';

/**
 * The period of the limiters (wrangler.toml). Clients retry after a whole period, because a limiter does not report the
 * exact time at which it will allow requests again.
 */
const RETRY_SECONDS = 60;

type Limiter = { [Name in keyof Env]-?: Env[Name] extends RateLimit ? Name : never }[keyof Env];

/** One limiter for each network that contains an IP address (`networksOf`), the narrowest first. */
const READS = ['READS_OF_ADDRESS', 'READS_OF_56', 'READS_OF_48'] as const satisfies Limiter[];
const WRITES = ['WRITES_OF_ADDRESS', 'WRITES_OF_56', 'WRITES_OF_48'] as const satisfies Limiter[];

// Cloudflare's limiter counts requests before the body is read; counting them in the database would cost a write each.
// Writes that can be abused also have exact limits (worker/limits).

/**
 * Counts requests by IP address: all reads, and writes without a valid token. `stopFloodsOfPerson` counts all requests
 * with a valid token.
 */
export const stopFloodsOfAddress = createMiddleware<AppEnv>(async (c, next) => {
  if (isRead(c)) await assertCalmAddress(c, READS);
  else if (!c.var.viewer) await assertCalmAddress(c, WRITES);
  await next();
});

/** Counts requests for photos separately from other reads, because one page of a list requests up to twenty photos. */
export const stopFloodsOfPhotos = createMiddleware<AppEnv>(async (c, next) => {
  await assertCalmAddress(c, READS, 'photos ');
  await next();
});

/** Counts a person's requests. The key has the token's version, so that a revoked token cannot use up the limit. */
export const stopFloodsOfPerson = createMiddleware<AppEnv>(async (c, next) => {
  const { viewer } = c.var;
  const limiter = isRead(c) ? 'READS_OF_PERSON' : 'WRITES_OF_PERSON';
  if (viewer) await assertCalm(c, limiter, `${viewer.userId} ${viewer.tokenVersion}`);
  await next();
});

function isRead(c: AppContext): boolean {
  return c.req.method === 'GET' || c.req.method === 'HEAD';
}

/**
 * Counts the request for each network that contains the address, until one of them is beyond its limit.
 * @throws AppError too_many_requests for a request beyond the limit of one of the networks.
 */
async function assertCalmAddress(c: AppContext, limiters: readonly Limiter[], prefix = ''): Promise<void> {
  // Cloudflare adds the client's IP address to every request. The address is missing only in tests.
  if (c.req.header('CF-Connecting-IP') === undefined) return;
  const networks = networksOf(clientAddress(c));
  for (const [index, limiter] of limiters.slice(0, networks.length).entries())
    await assertCalm(c, limiter, `${prefix}${networks[index]}`);
}

/** @throws AppError too_many_requests for a request beyond the limit. */
async function assertCalm(c: AppContext, limiter: Limiter, key: string): Promise<void> {
  if (await isWithinPlatformLimit(c.var.config, c.env[limiter], key)) return;
  throw new AppError('too_many_requests', { retryAfterSeconds: RETRY_SECONDS });
}

/**
 * Counts one more event with one of Cloudflare's own limiters, which are approximate and count per location
 * (wrangler.toml), but need no database write.
 */
export async function isWithinPlatformLimit(config: Config, limiter: RateLimit, key: string): Promise<boolean> {
  const outcome = await inForce(config, limiter)?.limit({ key });
  return outcome?.success ?? true;
}
