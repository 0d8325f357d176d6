import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { NumberProof, StartedProof } from '#contract/numbers.ts';
import { composeWebhook } from '#tests/support/graph-api.ts';
import { app } from '#worker/app.ts';
import { readConfig } from '#worker/env.ts';
import { deriveCode } from '#worker/whatsapp/code.ts';
import { call, ORIGIN } from './api.ts';

const APP_SECRET = 'the-app-secret-of-the-stand-in';
let numbers = 0;

/** A number that nobody else has. */
export function newNumber(): string {
  return `+25562${String(++numbers).padStart(3, '0')}${String(Math.floor(Math.random() * 1e4)).padStart(4, '0')}`;
}

export function newRegistration(whatsapp_number: string) {
  const username = `mtu${whatsapp_number.slice(1)}${++numbers}`;
  return { username, email: `${username}@example.com`, whatsapp_number, password: 'tumaini la kesho' };
}

export function register(registration: object): Promise<Response> {
  return call('POST', '/api/users', registration);
}

export async function codeOf(answer: Response): Promise<string> {
  return answer.ok ? 'ok' : (await answer.json<ErrorBody>()).code;
}

export type Started = StartedProof & { text: string };

export async function startProof(whatsapp_number: string, language = 'en'): Promise<Started> {
  const answer = await call('POST', '/api/auth/number-proofs', { whatsapp_number }, { language });
  expect(answer.status).toBe(201);
  const proof = await answer.json<StartedProof>();
  return { ...proof, text: new URL(proof.url).searchParams.get('text') ?? '' };
}

export async function readProof({ id, secret }: StartedProof): Promise<NumberProof> {
  const answer = await call('GET', `/api/auth/number-proofs/${id}`, undefined, {
    headers: { 'X-Proof-Secret': secret },
  });
  expect(answer.status).toBe(200);
  return answer.json<NumberProof>();
}

/** A message as it stands in Meta's webhook; what is undefined is absent. */
export function newMessage(from: string, text: string, overrides: Record<string, unknown> = {}) {
  return {
    from: from.slice(1),
    id: `wamid.${crypto.randomUUID()}`,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: 'text',
    text: { body: text },
    ...overrides,
  };
}

/** Brings messages as Meta does. */
export async function bring(messages: object[], { secret = APP_SECRET, alter = (body: string) => body } = {}) {
  const { body, signature } = composeWebhook(secret, { messages });
  const ctx = createExecutionContext();
  const request = new Request(`${ORIGIN}/api/whatsapp/webhook`, {
    method: 'POST',
    headers: { 'X-Hub-Signature-256': signature },
    body: alter(body),
  });
  const answer = await app.fetch(request, { ...env, WHATSAPP_APP_SECRET: APP_SECRET }, ctx);
  await waitOnExecutionContext(ctx);
  return answer.status;
}

/** What stands in the place of a code, once the number's holder has sent our message. */
export async function proveByMessage(number: string): Promise<string> {
  const started = await startProof(number);
  expect(await bring([newMessage(number, started.text)])).toBe(200);
  const { status, proof } = await readProof(started);
  expect(status).toBe('proven');
  return proof ?? '';
}

/** Asks for a code before the sign-up. @returns it, as only the number's holder and who has the secret can know it. */
export async function askForCode(number: string): Promise<string> {
  expect((await call('POST', '/api/auth/prove-number', { whatsapp_number: number })).status).toBe(200);
  return lastCode('prove_number', number);
}

export async function lastCode(kind: string, number: string): Promise<string> {
  const id = await env.DB.prepare(
    'select id from number_codes where kind = ? and number = ? order by issued_at desc, rowid desc limit 1',
  )
    .bind(kind, number)
    .first<string>('id');
  return deriveCode(readConfig(env).keys.code, id ?? '');
}

export function wrong(code: string): string {
  return String((Number(code) + 1) % 1e6).padStart(6, '0');
}

/** Whose the number is, and whether it is proven. */
export function holderOf(number: string) {
  return env.DB.prepare('select user_id as id, proven_at is not null as is_proven from phone_numbers where number = ?')
    .bind(number)
    .first<{ id: string; is_proven: number }>();
}
