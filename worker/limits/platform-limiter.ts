import type { Config } from '#worker/env.ts';
import { inForce } from './in-force.ts';

/**
 * Counts one more event with one of the platform's own limiters, which are approximate and count per location
 * (wrangler.toml), but write nothing.
 */
export async function isWithinPlatformLimit(config: Config, limiter: RateLimit, key: string): Promise<boolean> {
  const outcome = await inForce(config, limiter)?.limit({ key });
  return outcome?.success ?? true;
}
