import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** The cost that OWASP and ASVS recommend for p = 3. N·r·p is three quarters of the platform's maximum of 2^20. */
const COST = { N: 2 ** 15, r: 8, p: 3 };
/** Scrypt needs a little more than N·r·128 bytes; Node's default of 32 MiB is just too little. */
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

type Cost = typeof COST;

/** @returns `scrypt$N$r$p$salt$key`. The parameters are part of the hash, so that they can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await deriveKey(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

export async function isPasswordRight(password: string, hash: string): Promise<boolean> {
  const { cost, salt, key } = parseHash(hash);
  return timingSafeEqual(await deriveKey(password, salt, cost), key);
}

/** Whether the hash was made with other parameters than today's, so that the next sign-in should replace it. */
export function isHashOutdated(hash: string): boolean {
  const { cost } = parseHash(hash);
  return cost.N !== COST.N || cost.r !== COST.r || cost.p !== COST.p;
}

/** For e-mail addresses without an account: takes as long to check as a real hash, and never matches. */
export const DUMMY_HASH = `scrypt$${COST.N}$${COST.r}$${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

function parseHash(hash: string): { cost: Cost; salt: Buffer; key: Buffer } {
  const [, N, r, p, salt, key] = hash.split('$');
  if (!N || !r || !p || !salt || !key) throw new Error('A stored password hash is malformed');
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  };
}

function deriveKey(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Composed and decomposed letters (é as one or two characters) look the same, so both forms must be accepted.
    scrypt(password.normalize('NFC'), salt, KEY_BYTES, { ...cost, maxmem: MAX_MEMORY_BYTES }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
