import { randomBytes } from 'node:crypto';
import { DAY_MS } from '#contract/durations.ts';
import { SESSION_LIFETIME_DAYS } from '#contract/limits.ts';
import { UserError } from '#scripts/command/command.ts';

const NOTE = /^# JWT_SECRET_PREVIOUS has signed nothing since (\S+), and may go after (\S+)\.\n/m;

export type SessionSecrets = { JWT_SECRET: string; JWT_SECRET_PREVIOUS: string };

/**
 * A change of the session secret. `steps`: the secrets to set first, and the secrets to set a minute later. `text`: the
 * new content of the file of secrets.
 */
export type Rotation = { steps: [accepting: SessionSecrets, signing: SessionSecrets]; text: string };

/**
 * Makes a new JWT_SECRET for a file of secrets. After the first step the Worker accepts tokens that are signed with the
 * new secret; after the second step it also signs with the new secret. One step is not enough, because Cloudflare's
 * locations start to use new secrets at different times. The old secret is accepted until its tokens have expired.
 * @throws UserError if the last rotation is so recent that tokens signed with JWT_SECRET_PREVIOUS may still be in use.
 */
export function rotate(text: string, now: Date, make = () => randomBytes(32).toString('base64url')): Rotation {
  const current = readSecret(text, 'JWT_SECRET');
  if (!current) throw new UserError('The file has no JWT_SECRET.');
  const [, , ends] = NOTE.exec(text) ?? [];
  if (ends && new Date(ends) > now) {
    throw new UserError(`JWT_SECRET was replaced already: until ${ends} another one would sign people out.`);
  }
  const next = make();
  const signing = { JWT_SECRET: next, JWT_SECRET_PREVIOUS: current };
  return { steps: [{ JWT_SECRET: current, JWT_SECRET_PREVIOUS: next }, signing], text: write(text, signing, now) };
}

function readSecret(text: string, name: string): string | undefined {
  return new RegExp(`^${name}=(\\S+)$`, 'm').exec(text)?.[1];
}

function write(text: string, { JWT_SECRET, JWT_SECRET_PREVIOUS }: SessionSecrets, now: Date): string {
  const end = new Date(now.getTime() + SESSION_LIFETIME_DAYS * DAY_MS);
  const rest = text.replace(NOTE, '').replace(/^JWT_SECRET_PREVIOUS=.*\n?/m, '');
  const note = `# JWT_SECRET_PREVIOUS has signed nothing since ${toDay(now)}, and may go after ${toDay(end)}.`;
  const lines = `JWT_SECRET=${JWT_SECRET}\n${note}\nJWT_SECRET_PREVIOUS=${JWT_SECRET_PREVIOUS}\n`;
  return rest.replace(/^JWT_SECRET=.*\n?/m, lines);
}

function toDay(date: Date): string {
  return date.toISOString().slice(0, 'YYYY-MM-DD'.length);
}
