import { generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, UserError } from '#scripts/command/user-error.ts';

/** One per purpose; see `.dev.vars.example`. */
const SECRETS = ['JWT_SECRET', 'CODE_KEY', 'LIMIT_KEY', 'PHOTO_KEY', 'IDENTIFIER_KEY'];

/** Conveniences for local development, and a fictitious number of ours (`POST /api/dev/whatsapp-incoming`). */
const SETTINGS: [name: string, value: string][] = [
  ['ADMIN_STEP_UP', 'off'],
  ['WHATSAPP_DISPLAY_NUMBER', '+255700000100'],
  ['VAPID_SUBJECT', 'mailto:posta@patikana.test'],
];

/** Keys with a special format. */
const KEYS: [name: string, make: () => string][] = [['VAPID_PRIVATE_KEY', () => `'${JSON.stringify(makeVapidKey())}'`]];

/** A private P-256 key, which identifies us to push services. */
export function makeVapidKey(): JsonWebKey {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
}

/**
 * Adds missing settings and secrets to `.dev.vars`, generated for this machine. Existing ones are never replaced, as a new
 * secret would sign everybody out.
 */
export function ensureDevVars(projectRoot: string): void {
  const path = join(projectRoot, '.dev.vars');
  try {
    const known = existsSync(path) ? readFileSync(path, 'utf8') : 'WHATSAPP_TRANSPORT=local\n';
    const isMissing = (name: string) => !new RegExp(`^${name}=`, 'm').test(known);
    const made = [
      ...SETTINGS.filter(([name]) => isMissing(name)).map(([name, value]) => `${name}=${value}\n`),
      ...KEYS.filter(([name]) => isMissing(name)).map(([name, make]) => `${name}=${make()}\n`),
      ...SECRETS.filter(isMissing).map((name) => `${name}=${randomBytes(32).toString('base64url')}\n`),
    ];
    if (made.length === 0) return;
    writeFileSync(path, `${known.replace(/\n?$/, '\n')}${made.join('')}`, { mode: 0o600 });
  } catch (error) {
    throw new UserError(`${path} cannot be written (${errorCode(error)}).`);
  }
}
