import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import { app } from '#worker/app.ts';
import { call, newPerson, newPost, ORIGIN, somePost } from './support/api.ts';
import { passCalls } from './support/pass-calls.ts';

const LOST = 'D1_ERROR: Network connection lost.';

type Loss = 'on the way' | 'on the way back';

/** Asks the app with the real database, some of whose calls are lost. @returns the answer and how many calls there were. */
async function askLosing(
  method: string,
  path: string,
  {
    token,
    body,
    key,
    message = LOST,
    lose,
  }: {
    token?: string;
    body?: unknown;
    key?: string;
    message?: string;
    /** What becomes of the call of that number, counted from 1. */
    lose: (call: number) => Loss | null;
  },
) {
  let calls = 0;
  const DB = passCalls(env.DB, async (ask) => {
    const loss = lose(++calls);
    if (loss === 'on the way') throw new Error(message);
    const answer = await ask();
    if (loss === 'on the way back') throw new Error(message);
    return answer;
  });
  const headers = {
    'Content-Type': 'application/json',
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(key && { 'Idempotency-Key': key }),
  };
  const request = new Request(`${ORIGIN}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const ctx = createExecutionContext();
  const answer = await app.fetch(request, { ...env, DB }, ctx);
  const made = calls;
  await waitOnExecutionContext(ctx);
  return { answer, calls: made };
}

/** Signs a person up who has used the app within the hour: the first use is recorded after its answer, in a call of its own. */
async function newUser() {
  const person = await newPerson();
  await askLosing('GET', '/api/me', { token: person.token, lose: () => null });
  return person;
}

async function expectUnavailable(answer: Response): Promise<void> {
  expect([answer.status, (await answer.json<ErrorBody>()).code]).toEqual([503, 'unavailable']);
  expect(answer.headers.get('Retry-After')).toBe('2');
}

test.each([
  LOST,
  'D1_ERROR: Internal error in D1 DB storage caused object to be reset.',
  'D1_ERROR: D1 DB reset because its code was updated.',
  'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
  "D1_ERROR: Can't read from request stream because client disconnected.",
])('a read that fails with "%s" is made again, five times at most', async (message) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { token } = await newUser();
  // A batch of statements, and a single one of the query builder's.
  for (const path of ['/api/posts', '/api/me']) {
    const twice = await askLosing('GET', path, { token, message, lose: (at) => (at <= 2 ? 'on the way' : null) });
    expect([twice.answer.status, twice.calls]).toEqual([200, 3]);
    const always = await askLosing('GET', path, { token, message, lose: () => 'on the way back' });
    await expectUnavailable(always.answer);
    expect(always.calls).toBe(5);
  }
  expect(log).not.toHaveBeenCalled();
});

test.each([
  'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
  'D1_ERROR: D1 DB is overloaded. Too many requests queued.',
  'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
  'D1_ERROR: D1 DB exceeded its CPU time limit and was reset.',
  'D1_ERROR: D1 DB exceeded its memory limit and was reset.',
])('a read that fails with "%s" is not made again, but by whoever asked', async (message) => {
  const { answer, calls } = await askLosing('GET', '/api/posts', { message, lose: () => 'on the way' });
  await expectUnavailable(answer);
  expect(calls).toBe(1);
});

test('what is wrong with a statement is not the platform’s fault, and stays an error', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { answer, calls } = await askLosing('GET', '/api/posts', {
    message: 'D1_ERROR: no such column: x: SQLITE_ERROR',
    lose: () => 'on the way',
  });
  expect([answer.status, calls]).toEqual([500, 1]);
  expect(log).toHaveBeenCalledOnce();
});

test.each(['on the way', 'on the way back'] as const)(
  'a post whose writing was lost %s is not written again by the Worker, and once by who sends it again under its key',
  async (loss) => {
    const { id, token } = await newUser();
    const request = { token, body: somePost, key: 'ufunguo' };
    // The first call reads, the second writes.
    const { answer, calls } = await askLosing('POST', '/api/posts', {
      ...request,
      lose: (at) => (at === 2 ? loss : null),
    });
    await expectUnavailable(answer);
    expect(calls).toBe(2);
    expect((await askLosing('POST', '/api/posts', { ...request, lose: () => null })).answer.status).toBe(201);
    const row = await env.DB.prepare('select count(*) as posts from posts where author_id = ?').bind(id).first();
    expect(row).toEqual({ posts: 1 });
  },
);

test.each(['on the way', 'on the way back'] as const)(
  'what a second time does not change is written again when it was lost %s',
  async (loss) => {
    const person = await newUser();
    const { id } = await newPost(person);
    const lose = (at: number) => (at === 2 ? loss : null);
    const found = await askLosing('PATCH', `/api/posts/${id}/found`, { token: person.token, lose });
    expect([found.answer.status, found.calls]).toEqual([200, 3]);
    expect(await found.answer.json()).toMatchObject({ id, is_found: true });
    const gone = await askLosing('DELETE', `/api/posts/${id}`, { token: person.token, lose });
    expect([gone.answer.status, gone.calls]).toEqual([204, 3]);
    expect((await call('GET', `/api/posts/${id}`)).status).toBe(404);
    const read = await askLosing('POST', '/api/notices/read', {
      token: person.token,
      body: { ids: ['x'] },
      lose: (at) => (at === 1 ? loss : null),
    });
    expect([read.answer.status, read.calls]).toEqual([200, 2]);
  },
);
