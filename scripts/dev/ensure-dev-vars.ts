import { generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, UserError } from '#scripts/command/user-error.ts';

/** One a purpose; `.dev.vars.example` says what each is for. */
const SECRETS = ['JWT_SECRET', 'CODE_KEY', 'LIMIT_KEY', 'PHOTO_KEY', 'IDENTIFIER_KEY'];

/** What is easier on a machine of one's own, and a number of ours that nobody has (`POST /api/dev/whatsapp-incoming`). */
const SETTINGS: [name: string, value: string][] = [
  ['ADMIN_STEP_UP', 'off'],
  ['WHATSAPP_DISPLAY_NUMBER', '+255700000100'],
  ['VAPID_SUBJECT', 'mailto:posta@patikana.test'],
];

/** What has a form of its own. */
const KEYS: [name: string, make: () => string][] = [['VAPID_PRIVATE_KEY', () => `'${JSON.stringify(makeVapidKey())}'`]];

/** A private P-256 key, by which push services know us. */
export function makeVapidKey(): JsonWebKey {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
}

/**
 * Adds the settings and secrets that `.dev.vars` lacks, of this machine's own. Never replaces one: a new secret would sign everybody
 * out.
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
