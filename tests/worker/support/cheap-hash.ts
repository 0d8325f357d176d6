import { scryptSync } from 'node:crypto';

const COST = { N: 1024, r: 8, p: 1 };
const SALT = Buffer.alloc(16, 'chumvi');

/** A cheap password hash, for hundreds of people. Signing in with it works as usual. */
export function cheapHash(password: string): string {
  const key = scryptSync(password.normalize('NFC'), SALT, 32, COST).toString('base64url');
  return `scrypt$${COST.N}$${COST.r}$${COST.p}$${SALT.toString('base64url')}$${key}`;
}
