import type { Config } from '#worker/env.ts';
import { allowanceOf } from './allowance.ts';
import { endOfDay } from './day.ts';
import { allowancesOf, isOwnMachine } from './networks.ts';
import type { Turns } from './turns.ts';

/** How many codes an address may request, and for how many numbers. */
export function codesFromAddress(config: Config, address: string, number: string, now: number): Turns {
  return [...allowancesOf(config, 'code_address', address), ...recipientsOfAddress(config, address, number, now)];
}

/** How many codes a number gets. @param device of the number's account, which strangers do not count for. */
export function codesToNumber(config: Config, number: string, device?: string): Turns {
  return [allowanceOf(config, 'code_number', device === undefined ? number : `${number}\0${device}`)];
}

/** How many different numbers an address has codes sent to. The same number again is none. */
export function recipientsOfAddress(config: Config, address: string, number: string, now: number): Turns {
  if (isOwnMachine(config, address)) return [];
  const ofNumber = allowancesOf(config, 'code_recipients_address', address, number);
  return allowancesOf(config, 'code_recipients_address', address).map((allowance, index) => ({
    ...allowance,
    windowMs: endOfDay(now) - now,
    once: ofNumber[index]?.key,
  }));
}
