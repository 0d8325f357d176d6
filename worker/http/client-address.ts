import type { AppContext } from './app-env.ts';

/** Whom a request is counted for: the address it came from, as the platform says. Absent only in tests, which then share one. */
export function clientAddress(c: AppContext): string {
  return networkOf(c.req.header('CF-Connecting-IP') ?? 'unknown');
}

const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * An IPv6 address stands for its /64: that is the least a customer is given, and 2^64 addresses to come from would
 * be as good as no limit. Any other address stands for itself.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, GROUPS - head.length - tail.length)).fill('0');
  const network = [...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
