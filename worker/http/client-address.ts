import type { AppContext } from './app-env.ts';

/** The client's address, for limits, as the platform reports it. It is missing only in tests, which share one. */
export function clientAddress(c: AppContext): string {
  return networkOf(c.req.header('CF-Connecting-IP') ?? 'unknown');
}

const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * Reduces an IPv6 address to its /64: every customer gets at least that, and 2^64 addresses to choose from would defeat
 * any limit. Other addresses are returned unchanged.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, GROUPS - head.length - tail.length)).fill('0');
  const network = [...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
