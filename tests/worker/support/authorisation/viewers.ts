import { env } from 'cloudflare:workers';
import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import { newPerson, type Person } from '#tests/worker/support/api.ts';
import { showPasskey } from '#tests/worker/support/communities.ts';
import { readConfig } from '#worker/env.ts';
import { signSessionToken, signTicket, toSessionKeys } from '#worker/identity/session-token.ts';

/** The viewers: the heads of the table's columns. */
export const VIEWERS = [
  'nobody',
  'dead token',
  'numberless',
  'suspended',
  'unproven',
  'proven',
  'member',
  'community admin',
  'platform admin',
  'with passkey',
] as const;
export type ViewerName = (typeof VIEWERS)[number];

/** A person with the tokens to try: one, none, or several that must all get the same response. */
export type Asker = { person: Person; tokens: (string | undefined)[] };

const SQL_OF: Partial<Record<ViewerName, string>> = {
  numberless: 'delete from phone_numbers where user_id = ?',
  suspended: 'update users set suspended_at = 1 where id = ?',
  proven: 'update phone_numbers set proven_at = 1 where user_id = ?',
  'platform admin': 'update users set is_platform_admin = 1 where id = ?',
  'with passkey': 'update users set is_platform_admin = 1 where id = ?',
};

export async function newViewer(name: ViewerName): Promise<Asker> {
  const person = await newPerson();
  const statement = SQL_OF[name];
  if (statement) await env.DB.prepare(statement).bind(person.id).run();
  if (name === 'with passkey') await showPasskey(person);
  if (name === 'nobody') return { person, tokens: [undefined] };
  return { person, tokens: name === 'dead token' ? await deadTokensOf(person) : [person.token] };
}

/** One expired token, one by another key, one for another purpose, and one from before a new password. */
async function deadTokensOf({ id: userId }: Person): Promise<string[]> {
  const keys = readConfig(env).keys.session;
  const foreign = toSessionKeys('a-secret-that-nobody-here-has-0123456789', null);
  const viewer = { userId, tokenVersion: 1, sessionId: 'x', sessionEndsAt: Date.now() + 60_000 };
  return Promise.all([
    expiredToken(userId),
    signSessionToken(foreign, viewer),
    signTicket(keys, viewer, 30),
    signSessionToken(keys, { userId, tokenVersion: 0, sessionId: crypto.randomUUID() }),
  ]);
}

/** A token that the Worker signed 31 days ago. */
function expiredToken(userId: string): Promise<string> {
  const [{ id: kid, secret }] = readConfig(env).keys.session;
  const key = new Uint8Array(createHmac('sha256', secret).update('jwt:session').digest());
  return new SignJWT({ typ: 'session+jwt', tv: 1, sid: 'x' })
    .setProtectedHeader({ alg: 'HS256', typ: 'session+jwt', kid })
    .setIssuer('patikana')
    .setAudience('patikana-api')
    .setSubject(userId)
    .setJti(crypto.randomUUID())
    .setExpirationTime('-1d')
    .sign(key);
}
