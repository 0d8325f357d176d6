import type { Config } from '#worker/env.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { clientAddress } from '#worker/http/client-address.ts';
import { type Device, findDevice, readDevices } from '#worker/http/device-cookies.ts';
import { allowanceOf } from '#worker/limits/allowance.ts';
import type { Requester } from './recovery-rules.ts';
import { findHolder } from './store.ts';

/**
 * Queries the database only for browsers that are a known device of some account, so that it says nothing about the
 * number.
 */
export async function findRequester(c: AppContext, number: string): Promise<Requester> {
  const devices = readDevices(c);
  const holder = devices.length > 0 ? await findHolder(c.var.db, number) : null;
  const device = holder && findDevice(devices, holder);
  return device ? knownDevice(c.var.config, number, device) : stranger(c.var.config, number, clientAddress(c));
}

function knownDevice(config: Config, number: string, device: Device): Requester {
  return {
    isStranger: false,
    requests: [allowanceOf(config, 'reset_request', `${number}\0${device.id}`)],
    limits: [[allowanceOf(config, 'reset_guess', `${number}\0${device.id}`)]],
    tries: allowanceOf(config, 'reset_code_try', `${number}\0${device.id}`),
  };
}

export function stranger(config: Config, number: string, address: string): Requester {
  return {
    isStranger: true,
    requests: [allowanceOf(config, 'reset_request', number), allowanceOf(config, 'code_address', address)],
    limits: [
      [allowanceOf(config, 'reset_guess', `${number}\0${address}`)],
      [allowanceOf(config, 'reset_guess_number', number)],
    ],
    tries: allowanceOf(config, 'reset_code_try', `${number}\0${address}`),
  };
}
