import type { Config } from '#worker/env.ts';
import type { Device } from '#worker/http/device-cookies.ts';
import { emailKey } from '#worker/identity/email-key.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, allowanceOf } from '#worker/limits/allowance.ts';
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

/** Everybody else: they share an allowance, and when it is used up each address still gets an occasional guess. */
export function strangerTurns(config: Config, email: string, address: string): Turns {
  return [strangersFailures(config, email), allowanceOf(config, 'sign_in_pause', `${emailKey(email)}\0${address}`)];
}

export function strangersFailures(config: Config, email: string): Allowance {
  return allowanceOf(config, 'sign_in_strangers', emailKey(email));
}
