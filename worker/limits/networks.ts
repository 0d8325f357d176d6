import type { Config } from '#worker/env.ts';
import { type Allowance, allowanceOf } from './allowance.ts';
import { LIMITS, type Limit, type Rule } from './limits.ts';

const GROUPS = 8;
const BITS_OF_GROUP = 16;
/** What one customer of a provider may have: everybody gets at least a /64, many a /56, companies a /48. */
const PREFIXES = [64, 56, 48] as const;
/** How much more than its /64 a wider prefix is allowed, unless a limit says otherwise. */
const WIDER = [1.5, 2] as const;

/**
 * The networks that an address counts for, the narrowest first: an IPv6 address for the prefixes that one customer may
 * have, which would otherwise give them 65,536 networks to choose from. An IPv4 address counts alone: its neighbours are
 * other people, and thousands of a mobile provider's customers share it.
 */
export function networksOf(address: string): [string, ...string[]] {
  if (!address.includes(':') || address.includes('.')) return [address];
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, GROUPS - head.length - tail.length)).fill('0');
  const groups = [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
  const [first, ...rest] = PREFIXES;
  return [toPrefix(groups, first), ...rest.map((bits) => toPrefix(groups, bits))];
}

function toPrefix(groups: number[], bits: number): string {
  const kept = groups.slice(0, Math.ceil(bits / BITS_OF_GROUP));
  const cut = BITS_OF_GROUP * kept.length - bits;
  const masked = kept.map((group, index) => (index === kept.length - 1 ? (group >> cut) << cut : group));
  return `${masked.map((group) => group.toString(16)).join(':')}::/${bits}`;
}

/** How much each of an address's networks is allowed, where its narrowest is allowed `max`. */
export function maximaOf({ max, wider }: Pick<Rule, 'max' | 'wider'>): readonly [number, number, number] {
  return [max, ...(wider ?? ([Math.floor(max * WIDER[0]), max * WIDER[1]] as const))];
}

/**
 * The allowances of an address's networks under one limit.
 * @param of whom or what the address asks about, if each is counted separately.
 */
export function allowancesOf(config: Config, limit: Limit, address: string, of?: string): [Allowance, ...Allowance[]] {
  const [narrowest, ...wider] = networksOf(address);
  const [max, ...widerMaxima] = maximaOf(LIMITS[limit]);
  const toAllowance = (network: string, most: number | undefined) =>
    allowanceOf(config, limit, of === undefined ? network : `${of}\0${network}`, most);
  return [toAllowance(narrowest, max), ...wider.map((network, index) => toAllowance(network, widerMaxima[index]))];
}

const THIS_MACHINE = ['127.0.0.1', '::1', 'unknown'];

/**
 * Whether a client of the local transport is this machine. It stands for everybody there, and what it causes costs nothing,
 * so limits on what one network may cost in a day do not count it.
 */
export function isOwnMachine({ whatsapp }: Config, address: string): boolean {
  return whatsapp.transport === 'local' && THIS_MACHINE.includes(address);
}
