import { scryptSync } from 'node:crypto';

const COST = { N: 1024, r: 8, p: 1 };
const SALT = Buffer.alloc(16, 'chumvi');

/** A password's hash at a cost that hundreds of people can afford; signing in with it works as with any other. */
export function cheapHash(password: string): string {
  const key = scryptSync(password.normalize('NFC'), SALT, 32, COST).toString('base64url');
  return `scrypt$${COST.N}$${COST.r}$${COST.p}$${SALT.toString('base64url')}$${key}`;
}
