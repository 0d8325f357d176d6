import { env } from 'cloudflare:workers';
import type { Device, Session } from '#contract/accounts.ts';
import { type Person, read, signIn } from './api.ts';

export const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K) Chrome/141.0.0.0 Mobile Safari/537.36';

export const WRONG = 'si hili nenosiri';

/** The headers that a browser would send back. */
export function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

/** Signs in, as on a phone of one's own. @returns the phone's headers from then on. */
export async function knownDevice({ id, email, password }: Person): Promise<{ Cookie: string }> {
  const hash = await env.DB.prepare('select password_hash from users where id = ?').bind(id).first('password_hash');
  const answer = await signIn(email, password);
  // The sign-in has renewed the hash, and a test with hundreds of guesses needs the cheap one.
  await env.DB.prepare('update users set password_hash = ? where id = ?').bind(hash, id).run();
  if (answer.status !== 200) throw new Error(`Signing in answered ${answer.status}`);
  return { Cookie: cookiesOf(answer) };
}

/** Sends this many wrong passwords at once. @returns the statuses in order. */
export async function guessAtOnce(email: string, count: number, headers: Record<string, string> = {}) {
  const answers = await Promise.all(Array.from({ length: count }, () => signIn(email, WRONG, headers)));
  return answers.map(({ status }) => status).sort();
}

export function times(count: number, status: number): number[] {
  return Array.from({ length: count }, () => status);
}

/** A person whose calls carry this sign-in's token. */
export async function signedIn(person: Person, userAgent = ANDROID): Promise<Person> {
  const answer = await signIn(person.email, person.password, { 'User-Agent': userAgent });
  return { ...person, token: (await answer.json<Session>()).access_token };
}

export const devicesOf = (person: Person) => read<Device[]>('/api/me/devices', person);
