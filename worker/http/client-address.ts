import type { AppContext } from './app-env.ts';

/** The address the request came from, as the platform says. Absent only in tests, which then share one. */
export function clientAddress(c: AppContext): string {
  return c.req.header('CF-Connecting-IP') ?? 'unknown';
}
