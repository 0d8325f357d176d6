import type { RegisteredUser, Session } from '#contract/accounts.ts';
import type { Language } from '#contract/language.ts';
import type { Post, PostInput } from '#contract/posts.ts';
import { somePost } from './some-post.ts';

export type Person = { id: string; token: string; username: string; email: string; phone: string; password: string };

/** The app that the tests run on. */
export function appOrigin(): string {
  const origin = process.env.PATIKANA_ORIGIN;
  if (!origin) throw new Error('PATIKANA_ORIGIN is not set: run the tests with `npm run test:e2e`.');
  return origin;
}

type Call = { body?: unknown; token?: string; language?: Language };

/** Calls the API as any client would. @throws when it does not answer with 2xx. */
export async function callApi<Answer>(
  method: string,
  path: string,
  { body, token, language }: Call = {},
): Promise<Answer> {
  const isForm = body instanceof URLSearchParams;
  const answer = await fetch(`${appOrigin()}${path}`, {
    method,
    headers: {
      // One that was kept may be closed by the app while it is used again, and nobody repeats a POST.
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

/** What somebody registers with who is like nobody else, in this run or an earlier one. */
export function nobodyElse(number = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0): Omit<Person, 'id' | 'token'> {
  const digits = String(number).padStart(8, '0').slice(-8);
  const [email, phone] = [`mtu${digits}@example.com`, `+2557${digits}`];
  return { username: `Mtu ${digits}`, email, phone, password: PASSWORD };
}

/** Registers and signs in somebody through the API. */
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

/** A name that no other test has lost a thing under, so far from theirs that no matching takes it for a misspelling. */
export function newOwnerName(): OwnerName {
  const syllable = () => SYLLABLES[Math.floor(Math.random() * SYLLABLES.length)] ?? '';
  const word = () => Array.from({ length: 4 }, syllable).join('');
  return { owner_first_name: word(), owner_last_name: word() };
}
