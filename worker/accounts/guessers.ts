import type { Config } from '#worker/env.ts';
import type { Device } from '#worker/http/device-cookies.ts';
import { emailKey } from '#worker/identity/email-key.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { allowanceOf } from '#worker/limits/allowance.ts';
import { allowancesOf } from '#worker/limits/networks.ts';
import type { Turns } from '#worker/limits/turns.ts';

// Whose wrong guesses at an account's secrets are counted together. None of them can use up another's turns.

/** A device that has signed in to the account before. */
export function deviceTurns(config: Config, { userId, id }: Device): Turns {
  return [allowanceOf(config, 'sign_in_device', `${userId}\0${id}`)];
}

/** All sessions of the account in clients that keep no cookie. */
export function sessionTurns(config: Config, { userId }: Viewer): Turns {
  return [allowanceOf(config, 'sign_in_device', userId)];
}

/**
 * Everybody else: each of the address's networks has an allowance at the account, and so have all addresses together.
 * When one is used up, those that share it still get an occasional guess.
 */
export function strangerTurns(config: Config, email: string, address: string): Turns {
  const key = emailKey(email);
  const pauses = allowancesOf(config, 'sign_in_pause', address, key);
  return [
    ...allowancesOf(config, 'sign_in_stranger', address, key).map((turn, index) => ({ ...turn, pause: pauses[index] })),
    { ...allowanceOf(config, 'sign_in_strangers', key), pause: allowanceOf(config, 'sign_in_pause', key) },
  ];
}
