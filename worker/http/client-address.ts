import type { AppContext } from './app-env.ts';

/**
 * The client's address as the platform reports it, for limits, which count its networks (limits/networks.ts). It is missing
 * only in tests, which share one.
 */
export function clientAddress(c: AppContext): string {
  return c.req.header('CF-Connecting-IP') ?? 'unknown';
}
