import { expect } from '@playwright/test';
import type { RegisteredUser, Session } from '#contract/accounts.ts';
import type { LocalEmail } from '#contract/channels.ts';
import type { Claim } from '#contract/claims.ts';
import type { Language } from '#contract/language.ts';
import type { Post, PostInput } from '#contract/posts.ts';
import { somePost } from './posts.ts';

export type Person = { id: string; token: string; username: string; email: string; phone: string; password: string };

/** Returns the origin of the tested app, such as `http://127.0.0.1:8787`. */
export function appOrigin(): string {
  const origin = process.env.PATIKANA_ORIGIN;
  if (!origin) throw new Error('PATIKANA_ORIGIN is not set: run the tests with `npm run test:e2e`.');
  return origin;
}

type Call = { body?: unknown; token?: string; language?: Language };

/** Calls the API. @throws if the response is not 2xx. */
export async function callApi<Answer>(
  method: string,
  path: string,
  { body, token, language }: Call = {},
): Promise<Answer> {
  const isForm = body instanceof URLSearchParams;
  const answer = await fetch(`${appOrigin()}${path}`, {
    method,
    headers: {
      // No keep-alive: the app may close a kept connection just as it is reused, and a POST is not retried.
      Connection: 'close',
      ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(language && { 'Accept-Language': language }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return (text === '' ? null : JSON.parse(text)) as Answer;
}

export const PASSWORD = 'tumaini la kesho';

/** The data of a new registration, unique even across test runs. */
export function nobodyElse(number = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0): Omit<Person, 'id' | 'token'> {
  const digits = String(number).padStart(8, '0').slice(-8);
  const [email, phone] = [`mtu${digits}@example.com`, `+2557${digits}`];
  return { username: `Mtu ${digits}`, email, phone, password: PASSWORD };
}

/** Registers and signs in a new person through the API. */
export async function registerPerson(): Promise<Person> {
  const { phone, ...person } = nobodyElse();
  const { id } = await callApi<RegisteredUser>('POST', '/api/users', { body: { ...person, whatsapp_number: phone } });
  const form = new URLSearchParams({ username: person.email, password: person.password });
  const { access_token: token } = await callApi<Session>('POST', '/api/login', { body: form });
  return { id, token, ...person, phone };
}

export function newPost(author: Person, overrides: Partial<PostInput> = {}): Promise<Post> {
  return callApi<Post>('POST', '/api/posts', { body: { ...somePost, ...overrides }, token: author.token });
}

export type OwnerName = Pick<PostInput, 'owner_first_name' | 'owner_last_name'>;

const SYLLABLES = 'ba cha di fu ga ho ji ke li mo nya pe ri shu ti vu wa yo ze'.split(' ');

/**
 * Returns a random name, so unlike the names in other tests that the matching never takes one name for a misspelling of
 * another.
 */
export function newOwnerName(): OwnerName {
  const syllable = () => SYLLABLES[Math.floor(Math.random() * SYLLABLES.length)] ?? '';
  const word = () => Array.from({ length: 4 }, syllable).join('');
  return { owner_first_name: word(), owner_last_name: word() };
}

/** Posts a found wallet. The finder knows more about it than the post says. */
export function newFoundWallet(finder: Person): Promise<Post> {
  return newPost(finder, {
    title: `Pochi ya ngozi ${crypto.randomUUID().slice(0, 6)}`,
    description: '',
    claim_question: 'Ndani kuna nini?',
    private_marks: 'Picha ya mtoto na ufunguo mmoja mdogo',
  });
}

export function newClaim(claimant: Person, post: Pick<Post, 'id'>, answer = 'Kuna pesa tu'): Promise<Claim> {
  return callApi('POST', `/api/posts/${post.id}/claims`, { body: { answer }, token: claimant.token });
}

/** Waits for the newest e-mail with a link, and returns the link's path. */
export async function confirmationLink(email: string): Promise<string> {
  const find = async () => {
    const emails = await callApi<LocalEmail[]>('GET', `/api/dev/emails?to=${encodeURIComponent(email)}`);
    return emails.map(({ text }) => /\/confirm-email#\S+/.exec(text)?.[0]).find(Boolean) ?? '';
  };
  await expect.poll(find).not.toBe('');
  return find();
}
