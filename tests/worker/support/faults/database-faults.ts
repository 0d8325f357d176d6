import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { Post } from '#contract/posts.ts';
import { call, newPerson, ORIGIN, type Person, somePost } from '#tests/worker/support/api.ts';
import { passCalls } from '#tests/worker/support/mortal-env.ts';
import { app } from '#worker/app.ts';
import type { Env } from '#worker/env.ts';

/** A failure, what users see of it, the state afterwards, and its test. */
export type Fault = {
  part: string;
  fails: string;
  seen: string;
  afterwards: string;
  /** Fails unless both are true. */
  tryIt(): Promise<void>;
};

const LOST = 'D1_ERROR: Network connection lost.';
const OVERLOADED = 'D1_ERROR: D1 DB is overloaded. Too many requests queued.';
const SLOW_MS = 200;

type Sent = { person?: Person; body?: unknown; key?: string };

/** Calls the Worker with other bindings, and waits for its work after the response. */
export async function askWith(bindings: object, method: string, path: string, { person, body, key }: Sent = {}) {
  const ctx = createExecutionContext();
  const headers = {
    'Content-Type': 'application/json',
    ...(person && { Authorization: `Bearer ${person.token}` }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
  };
  const request = new Request(`${ORIGIN}/api${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await app.fetch(request, { ...env, ...bindings } as Env, ctx);
  await waitOnExecutionContext(ctx);
  return answer;
}

export async function expectUnavailable(answer: Response, retryAfter: string): Promise<void> {
  expect([answer.status, (await answer.json<ErrorBody>()).code]).toEqual([503, 'unavailable']);
  expect(answer.headers.get('Retry-After')).toBe(retryAfter);
}

/** A database whose call of that number, counted from 1, is lost, before or after it arrived. */
function losing(lost: number, { isDone }: { isDone: boolean }): { DB: D1Database } {
  let calls = 0;
  const DB = passCalls(env.DB, async (act) => {
    const isLost = ++calls === lost;
    if (isLost && !isDone) throw new Error(LOST);
    const answer = await act();
    if (isLost) throw new Error(LOST);
    return answer;
  });
  return { DB };
}

function failing(message: string): { DB: D1Database } {
  const DB = passCalls(env.DB, async () => {
    throw new Error(message);
  });
  return { DB };
}

/** A database whose batch of that number, counted from 1, fails at a statement in its middle. */
function breakingBatch(broken: number): { DB: D1Database; isBroken: () => boolean } {
  let batches = 0;
  const session = env.DB.withSession('first-primary');
  const batch: D1DatabaseSession['batch'] = (statements) => {
    if (++batches !== broken) return session.batch(statements);
    const middle = Math.ceil(statements.length / 2);
    const failure = env.DB.prepare('select abs(-9223372036854775808)');
    return session.batch([...statements.slice(0, middle), failure, ...statements.slice(middle)]);
  };
  const DB = { withSession: () => ({ batch, prepare: (text: string) => session.prepare(text) }) };
  return { DB: DB as unknown as D1Database, isBroken: () => batches >= broken };
}

function countPosts({ id }: Person): Promise<number | null> {
  return env.DB.prepare('select count(*) as posts from posts where author_id = ?').bind(id).first<number>('posts');
}

/** All stored data of a post, as one text. */
async function everythingOf(postId: string): Promise<string> {
  const seqs = 'select seq from posts where id = ?';
  const rows = await env.DB.batch(
    [
      `posts where seq in (${seqs})`,
      `match_terms where post_seq in (${seqs})`,
      `match_readings where post_seq in (${seqs})`,
    ].map((table) => env.DB.prepare(`select * from ${table} order by 1, 2`).bind(postId)),
  );
  return JSON.stringify(rows.map(({ results }) => results));
}

export const DATABASE_FAULTS: Fault[] = [
  {
    part: 'D1',
    fails: 'the connection is lost during a read',
    seen: 'nothing: the read is retried, five times at most',
    afterwards: 'as before',
    async tryIt() {
      const person = await newPerson();
      expect((await askWith(losing(1, { isDone: false }), 'GET', '/posts', { person })).status).toBe(200);
      await expectUnavailable(await askWith(failing(LOST), 'GET', '/posts', { person }), '2');
    },
  },
  {
    part: 'D1',
    fails: 'the connection is lost after a write',
    seen: 'an error, to be retried (503, `Retry-After: 2`)',
    afterwards: 'it is stored; a retry with the same key answers the same and stores nothing new',
    async tryIt() {
      const person = await newPerson();
      const sent = { person, body: somePost, key: 'ufunguo' };
      await expectUnavailable(await askWith(losing(2, { isDone: true }), 'POST', '/posts', sent), '2');
      expect(await countPosts(person)).toBe(1);
      expect((await askWith({}, 'POST', '/posts', sent)).status).toBe(201);
      expect(await countPosts(person)).toBe(1);
    },
  },
  {
    part: 'D1',
    fails: 'overloaded',
    seen: 'an error at once (503, `Retry-After: 2`)',
    afterwards: 'nothing is stored, and nothing was retried',
    async tryIt() {
      const person = await newPerson();
      await expectUnavailable(await askWith(failing(OVERLOADED), 'GET', '/posts', { person }), '2');
      await expectUnavailable(await askWith(failing(OVERLOADED), 'POST', '/posts', { person, body: somePost }), '2');
      expect(await countPosts(person)).toBe(0);
    },
  },
  {
    part: 'D1',
    fails: 'slow',
    seen: 'the answer, late',
    afterwards: 'everything is stored',
    async tryIt() {
      const person = await newPerson();
      const DB = passCalls(env.DB, async (act) => {
        await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
        return act();
      });
      expect((await askWith({ DB }, 'POST', '/posts', { person, body: somePost })).status).toBe(201);
      expect(await countPosts(person)).toBe(1);
    },
  },
  {
    part: 'D1',
    fails: 'a statement in the middle of a batch fails',
    seen: 'an error with an id to quote (500)',
    afterwards: 'nothing of the batch is stored',
    async tryIt() {
      const person = await newPerson();
      // A thing that no other post matches: withdrawing a notice takes batches after the answer.
      const body = { ...somePost, title: 'Mwavuli wa zambarau', description: null, kind: 'other' };
      const { id } = await (await askWith({}, 'POST', '/posts', { person, body })).json<Post>();
      const before = await everythingOf(id);
      let broken = 0;
      for (let at = 1; ; at++) {
        const database = breakingBatch(at);
        const answer = await askWith({ DB: database.DB }, 'DELETE', `/posts/${id}`, { person });
        if (!database.isBroken()) break;
        broken++;
        const { code, request_id } = await answer.json<ErrorBody>();
        expect([answer.status, code, request_id === undefined]).toEqual([500, 'internal_error', false]);
        expect(await everythingOf(id)).toBe(before);
      }
      expect(broken).toBeGreaterThan(0);
      expect((await call('GET', `/api/posts/${id}`, undefined, person)).status).toBe(404);
    },
  },
];
