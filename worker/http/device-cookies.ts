import { parse, serialize } from 'hono/utils/cookie';
import { fingerprint, isSameText, newId } from '#worker/identity/digests.ts';
import type { AccountVersion } from '#worker/identity/viewer.ts';
import type { AppContext } from './context.ts';

/**
 * A known device of an account: a browser in which somebody has signed in to the account before. The device cookie
 * authenticates nobody, but separates the user's own mistakes from strangers' guesses (OWASP, "slow down online
 * guessing attacks with device cookies"). A password reset makes the account's other devices unknown.
 */
export type Device = AccountVersion & { id: string };

const PREFIX = 'device_';
/** The longest time that browsers keep a cookie. The cookie may outlive the session, as it is worthless to a thief. */
const LIFETIME_SECONDS = 400 * 24 * 60 * 60;
/**
 * One browser can be a known device of this many accounts. A sign-in to a further account deletes the oldest device
 * cookie.
 */
const ACCOUNTS_MAX = 8;
const PATH = '/api';

/** Reads the device cookies: one for each account that knows this browser. Ignores cookies that we did not sign. */
export function readDevices(c: AppContext): Device[] {
  return deviceCookies(c)
    .slice(-ACCOUNTS_MAX)
    .flatMap(([name, value]) => parseDevice(c, name, value) ?? []);
}

/** Returns the device that belongs to the account; undefined if the browser is not a known device of the account. */
export function findDevice(devices: readonly Device[], { userId, tokenVersion }: AccountVersion): Device | undefined {
  return devices.find((device) => device.userId === userId && device.tokenVersion === tokenVersion);
}

/**
 * Makes the browser a known device of the account. Beyond ACCOUNTS_MAX, deletes the oldest device cookies.
 * @param id the browser's current device id; by default a new id. Wrong guesses are counted by this id, so only a
 * person who has just given the password may get a new one.
 */
export function keepDeviceCookie(c: AppContext, { userId, tokenVersion }: AccountVersion, id = newId()): void {
  const name = PREFIX + userId;
  const device = { userId, tokenVersion, id };
  const others = deviceCookies(c).flatMap(([other]) => (other === name ? [] : other));
  for (const surplus of others.slice(0, -(ACCOUNTS_MAX - 1))) setCookie(c, surplus, '', 0);
  setCookie(c, name, `${tokenVersion}.${device.id}.${sign(c, device)}`, LIFETIME_SECONDS);
}

/** Returns the cookies in the order of the header: browsers send the oldest first. */
function deviceCookies(c: AppContext): [name: string, value: string][] {
  return Object.entries(parse(c.req.header('Cookie') ?? '')).filter(([name]) => name.startsWith(PREFIX));
}

function parseDevice(c: AppContext, name: string, value: string): Device | null {
  const [version = '', id = '', signature = ''] = value.split('.');
  const device = { userId: name.slice(PREFIX.length), tokenVersion: Number(version), id };
  return isSameText(signature, sign(c, device)) ? device : null;
}

function sign(c: AppContext, { userId, tokenVersion, id }: Device): string {
  return fingerprint(c.var.config.keys.limit, 'device-cookie', `${userId}\0${tokenVersion}\0${id}`);
}

function setCookie(c: AppContext, name: string, value: string, maxAge: number): void {
  const secure = new URL(c.req.url).protocol === 'https:';
  const cookie = serialize(name, value, { path: PATH, maxAge, secure, httpOnly: true, sameSite: 'Strict' });
  c.header('Set-Cookie', cookie, { append: true });
}
