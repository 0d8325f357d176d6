import { env } from 'cloudflare:workers';
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { DAY_MS } from '#contract/durations.ts';
import type { NoticeList } from '#contract/notices.ts';
import type { NewPasskey, PasskeyOptions, StepUp, StepUpOptions } from '#contract/passkeys.ts';
import type { Post } from '#contract/posts.ts';
import { app } from '#worker/app.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { signSessionToken } from '#worker/identity/session-token.ts';
import { type Caller, call, newPerson, ORIGIN, type Person } from './api.ts';
import { newCommunity } from './communities.ts';

/** A person with a proven phone number and an account older than three days: three such reporters hide a post. */
export async function newReporter({ isProven = true, ageDays = 4 } = {}): Promise<Person> {
  const person = await newPerson();
  await env.DB.batch([
    env.DB.prepare('update users set created_at = ? where id = ?').bind(Date.now() - ageDays * DAY_MS, person.id),
    env.DB.prepare('update phone_numbers set proven_at = ? where user_id = ?').bind(
      isProven ? Date.now() : null,
      person.id,
    ),
  ]);
  return person;
}

export function report(postId: string, reporter: Caller, input: object = { reason: 'scam' }): Promise<Response> {
  return call('POST', `/api/posts/${postId}/reports`, input, reporter);
}

/** Lets three new people report the post (`newReporter`). */
export async function reportThrice(postId: string): Promise<void> {
  for (const reporter of await Promise.all([newReporter(), newReporter(), newReporter()])) {
    const answer = await report(postId, reporter);
    if (answer.status !== 201) throw new Error(`Reporting answered ${answer.status}: ${await answer.text()}`);
  }
}

export function decide(verb: 'hide' | 'restore' | 'undo', postId: string, admin: Caller): Promise<Response> {
  const body = verb === 'hide' ? { reason: 'Ni utapeli' } : undefined;
  return call('POST', `/api/admin/posts/${postId}/${verb}`, body, admin);
}

/** Returns why the post is hidden, such as `reports` or `suspension`, from the author's view of the post. */
export async function hidersOf(postId: string, author: Caller): Promise<string[]> {
  return (await (await call('GET', `/api/posts/${postId}`, undefined, author)).json<Post>()).hidden_by;
}

export async function statusFor(postId: string, viewer: Caller): Promise<number> {
  return (await call('GET', `/api/posts/${postId}`, undefined, viewer)).status;
}

/** The person's notices, newest first. */
export async function toldTo(person: Caller) {
  const { notices } = await (await call('GET', '/api/notices', undefined, person)).json<NoticeList>();
  return notices.map(({ message }) => message);
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

type Asked = { challenge: string; origin: string; rpId: string };
type Quirks = { isVerified?: boolean; counter?: number; type?: string };

/**
 * A passkey in software: responds like a browser with an authenticator (WebAuthn Level 3 §6), ES256 without
 * attestation.
 */
export class SoftAuthenticator {
  readonly id = randomBytes(16);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #counter = 0;

  /** Returns what the browser's `startRegistration` returns. */
  register({ challenge, origin, rpId }: Asked, { isVerified = true }: Quirks = {}): NewPasskey {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const publicKey = encodeMap([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, publicKey]);
    const authData = Buffer.concat([this.#head(rpId, isVerified, HAS_CREDENTIAL, this.#counter), credential]);
    const attestation = encodeMap([
      ['fmt', 'none'],
      ['attStmt', []],
      ['authData', authData],
    ]);
    return {
      ...this.#names(),
      response: {
        clientDataJSON: toText(clientData('webauthn.create', challenge, origin)),
        attestationObject: toText(attestation),
        transports: ['internal'],
      },
    };
  }

  /** Returns what the browser's `startAuthentication` returns. */
  show({ challenge, origin, rpId }: Asked, { isVerified = true, counter, type = 'webauthn.get' }: Quirks = {}): StepUp {
    this.#counter += 1;
    const authData = this.#head(rpId, isVerified, 0, counter ?? this.#counter);
    const data = clientData(type, challenge, origin);
    const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()]);
    return {
      ...this.#names(),
      response: {
        clientDataJSON: toText(data),
        authenticatorData: toText(authData),
        signature: toText(sign('sha256', signed, this.#keys.privateKey)),
      },
    };
  }

  #names() {
    return { id: toText(this.id), rawId: toText(this.id), type: 'public-key' as const };
  }

  #head(rpId: string, isVerified: boolean, flags: number, count: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(count);
    const flag = Buffer.from([USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | flags]);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), flag, counter]);
  }
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function toText(bytes: Buffer): string {
  return bytes.toString('base64url');
}

type Value = number | string | Buffer | [Value, Value][];

/** Encodes a value as CBOR (RFC 8949), as far as an authenticator needs. A list of pairs becomes a map. */
function encode(value: Value): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return encodeMap(value);
}

function encodeMap(entries: [Value, Value][]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flat().map((part) => encode(part as Value))]);
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size]);
  if (size < 256) return Buffer.from([(major << 5) | 24, size]);
  return Buffer.from([(major << 5) | 25, size >> 8, size & 0xff]);
}

export const GUARDED = { ...env, ADMIN_STEP_UP: 'on' } as unknown as Env;
export const PLACE = { origin: ORIGIN, rpId: 'localhost' };

/** Calls the Worker like `call`, but this Worker requires a passkey for admins' changes. */
export async function ask(
  method: string,
  path: string,
  { token, headers }: Pick<Person, 'token'> & Caller,
  body?: unknown,
): Promise<Response> {
  const ctx = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };
  const request = new Request(`${ORIGIN}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return app.fetch(request, GUARDED, ctx as unknown as ExecutionContext);
}

export async function codeOf(answer: Response): Promise<string> {
  const { code } = await answer.json<{ code: string }>();
  return `${answer.status} ${code}`;
}

export async function optionsFor<Options>(path: string, person: { token: string }): Promise<Options> {
  return (await ask('POST', path, person)).json<Options>();
}

export async function addPasskey(
  admin: Person,
  key = new SoftAuthenticator(),
  password: string | null = admin.password,
) {
  const { challenge } = await optionsFor<PasskeyOptions>('/api/me/passkeys/options', admin);
  const answer = key.register({ challenge, ...PLACE });
  const added = await ask('POST', '/api/me/passkeys', admin, {
    ...answer,
    ...(password && { current_password: password }),
  });
  return { key, added };
}

export async function show(admin: { token: string }, answerWith: (challenge: string) => StepUp): Promise<Response> {
  const { challenge } = await optionsFor<StepUpOptions>('/api/admin/step-up/options', admin);
  return ask('POST', '/api/admin/step-up', admin, answerWith(challenge));
}

/** Another session of the same person. */
export async function signInAgain(person: Person): Promise<Person> {
  const token = await signSessionToken(readConfig(env).keys.session, {
    userId: person.id,
    tokenVersion: 1,
    sessionId: crypto.randomUUID(),
  });
  return { ...person, token };
}

export async function approve(admin: { token: string }): Promise<Response> {
  const { id } = await newCommunity(await newPerson());
  return ask('POST', `/api/admin/communities/${id}/approve`, admin);
}
