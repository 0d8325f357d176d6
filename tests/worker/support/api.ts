import { exports } from 'cloudflare:workers';
import type { RegisteredUser, Session } from '#worker/contract/accounts.ts';
import type { Post } from '#worker/contract/posts.ts';

export const ORIGIN = 'https://patikana.test';

export type Caller = { token?: string; language?: string; headers?: Record<string, string> };

/** Calls the running Worker as any client would. */
export function call(
  method: string,
  path: string,
  body?: unknown,
  { token, language, headers }: Caller = {},
): Promise<Response> {
  return exports.default.fetch(
    new Request(`${ORIGIN}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(language && { 'Accept-Language': language }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  );
}

export function signIn(email: string, password: string, headers: Record<string, string> = {}): Promise<Response> {
  return exports.default.fetch(
    new Request(`${ORIGIN}/api/login`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ username: email, password }),
    }),
  );
}

let people = 0;

export type Person = { id: string; token: string; email: string; phone: string; password: string; username: string };

/** Registers and signs in somebody who is like nobody else. */
export async function newPerson(
  overrides: Partial<{ username: string; email: string; whatsapp_number: string }> = {},
): Promise<Person> {
  const number = `${++people}${Math.floor(Math.random() * 1e6)}`.padStart(9, '7').slice(-9);
  const person = {
    username: `mtu${number}`,
    email: `mtu${number}@example.com`,
    whatsapp_number: `+255${number}`,
    password: 'tumaini la kesho',
    ...overrides,
  };
  const registered = await call('POST', '/api/users', person);
  if (registered.status !== 201)
    throw new Error(`Registration answered ${registered.status}: ${await registered.text()}`);
  const { id, email } = await registered.json<RegisteredUser>();
  const { access_token } = await (await signIn(email, person.password)).json<Session>();
  return {
    id,
    token: access_token,
    email,
    phone: person.whatsapp_number,
    password: person.password,
    username: person.username,
  };
}

export const somePost = {
  title: 'Simu ya Tecno nyeusi imeokotwa',
  owner_first_name: '',
  owner_last_name: '',
  location: 'Kariakoo, Dar es Salaam',
  phone_number: '0712345678',
  description: 'Ina kava la bluu',
  posted_by: 'finder',
  community_code: null,
};

export async function newPost(author: { token: string }, overrides: Record<string, unknown> = {}): Promise<Post> {
  const answer = await call('POST', '/api/posts', { ...somePost, ...overrides }, author);
  if (answer.status !== 201) throw new Error(`Posting answered ${answer.status}: ${await answer.text()}`);
  return answer.json<Post>();
}
