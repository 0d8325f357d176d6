import type { Config } from '#worker/env.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { clientAddress } from '#worker/http/client-address.ts';
import { type Device, findDevice, readDevices } from '#worker/http/device-cookies.ts';
import { allowanceOf } from '#worker/limits/allowance.ts';
import { codesFromAddress, codesToNumber, recipientsOfAddress } from '#worker/limits/code-requests.ts';
import { allowancesOf } from '#worker/limits/networks.ts';
import type { Requester } from './recovery-rules.ts';
import { findHolder } from './store.ts';

/**
 * Queries the database only for browsers that are a known device of some account, so that it says nothing about the
 * number.
 */
export async function findRequester(c: AppContext, number: string, now: number): Promise<Requester> {
  const { config, db } = c.var;
  const devices = readDevices(c);
  const address = clientAddress(c);
  const holder = devices.length > 0 ? await findHolder(db, number) : null;
  const device = holder && findDevice(devices, holder);
  if (!device) return stranger(config, number, address, now);
  const known = knownDevice(config, number, device);
  // An account can be made with any number, so one that nobody has proven is no reason to trust its device.
  const recipients = holder.isProven ? [] : recipientsOfAddress(config, address, number, now);
  return { ...known, requests: [...known.requests, ...recipients] };
}

function knownDevice(config: Config, number: string, { id }: Device): Requester {
  const ofDevice = `${number}\0${id}`;
  return {
    isStranger: false,
    requests: [allowanceOf(config, 'reset_request', ofDevice), ...codesToNumber(config, number, id)],
    guesses: [allowanceOf(config, 'reset_guess', ofDevice)],
    tries: [allowanceOf(config, 'reset_code_try', ofDevice)],
  };
}

export function stranger(config: Config, number: string, address: string, now: number): Requester {
  return {
    isStranger: true,
    requests: [
      allowanceOf(config, 'reset_request', number),
      ...codesToNumber(config, number),
      ...codesFromAddress(config, address, number, now),
    ],
    guesses: [
      ...allowancesOf(config, 'reset_guess', address, number),
      allowanceOf(config, 'reset_guess_number', number),
    ],
    tries: allowancesOf(config, 'reset_code_try', address, number),
  };
}
