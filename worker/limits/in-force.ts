import type { Config } from '#worker/env.ts';

/** @returns the limit; null while limits are off, as they can be on a local Worker for load tests. */
export function inForce<Limit>(config: Config, limit: Limit): Limit | null {
  return config.areRateLimitsOn ? limit : null;
}
