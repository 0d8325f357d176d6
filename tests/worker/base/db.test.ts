/// <reference types="vite/types/importMeta.d.ts" />
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { type SQL, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { type Ask, findInconsistencies } from '#tests/support/find-inconsistencies.ts';
import { call, newPerson, newPost, ORIGIN, somePost } from '#tests/worker/support/api.ts';
import { insertClaim } from '#tests/worker/support/claims.ts';
import { newApprovedCommunity } from '#tests/worker/support/communities.ts';
import { passCalls } from '#tests/worker/support/mortal-env.ts';
import { lostAndFound } from '#tests/worker/support/notices.ts';
import { postAndMatch, sweepIn } from '#tests/worker/support/posts.ts';
import { takeRowProblems } from '#tests/worker/support/setup.ts';
import { app } from '#worker/app.ts';
import { batch, openDb } from '#worker/db/client.ts';
import { deleteSome, nextTry, queryFirst, queryRows } from '#worker/db/statements.ts';
import { whatsappIncoming } from '#worker/db/tables/notices.ts';
import { clearExpiredKeys, hasReservedKey, releaseKey, reserveKey, selectMade } from '#worker/http/idempotency.ts';

const NOW = Date.now();
const db = openDb(env);

async function newViewer() {
  const { id } = await newPerson();
  return { userId: id, tokenVersion: 1, sessionId: 'none' };
}
type Viewer = Parameters<typeof reserveKey>[1];

function keyOf(key: string) {
  return { key, bodyDigest: `digest of ${key}` };
}

async function isTrue(condition: SQL): Promise<boolean> {
  const [row] = await db.all<{ is: number }>(sql`select ${condition} as "is"`);
  return row?.is === 1;
}

async function keysOf(...viewers: Viewer[]): Promise<string[]> {
  const ids = JSON.stringify(viewers.map(({ userId }) => userId));
  const rows = await db.all<{ made: string }>(sql`
    select post_id as made from idempotency_keys where user_id in (select value from json_each(${ids})) order by made`);
  return rows.map(({ made }) => made);
}

test('an idempotency key is stored for exactly 24 hours', async () => {
  const viewer = await newViewer();
  const key = keyOf('a');
  await reserveKey(db, viewer, key, 'first', NOW);
  await reserveKey(db, viewer, key, 'second', NOW + DAY_MS);
  await clearExpiredKeys(db, NOW + DAY_MS);
  expect(await isTrue(hasReservedKey(viewer, key, 'second'))).toBe(false);
  expect(await selectMade(db, viewer, key, NOW + DAY_MS)).toEqual({ id: 'first', body_digest: 'digest of a' });

  expect(await selectMade(db, viewer, key, NOW + DAY_MS + 1)).toBeUndefined();
  await reserveKey(db, viewer, { ...key, bodyDigest: 'another' }, 'second', NOW + DAY_MS + 1);
  expect(await isTrue(hasReservedKey(viewer, key, 'second'))).toBe(true);
  expect(await selectMade(db, viewer, key, NOW + 2 * DAY_MS)).toEqual({ id: 'second', body_digest: 'another' });

  await clearExpiredKeys(db, NOW + 2 * DAY_MS + 2);
  expect(await keysOf(viewer)).toEqual([]);
});

test('people who send the same idempotency key do not affect each other', async () => {
  const [asha, juma] = [await newViewer(), await newViewer()];
  await reserveKey(db, asha, keyOf('a'), 'asha a', NOW);
  await reserveKey(db, juma, keyOf('b'), 'juma b', NOW);
  await reserveKey(db, asha, keyOf('b'), 'asha b', NOW);
  for (const [viewer, key, made] of [
    [asha, 'a', 'asha a'],
    [juma, 'b', 'juma b'],
    [asha, 'b', 'asha b'],
  ] as const) {
    expect(await isTrue(hasReservedKey(viewer, keyOf(key), made))).toBe(true);
    expect(await selectMade(db, viewer, keyOf(key), NOW)).toEqual({ id: made, body_digest: `digest of ${key}` });
  }
  expect(await isTrue(hasReservedKey(juma, keyOf('a'), 'asha a'))).toBe(false);
  expect(await selectMade(db, juma, keyOf('a'), NOW)).toBeUndefined();
});

test('an idempotency key can be used again only if the request that used it created nothing', async () => {
  const [asha, juma] = [await newViewer(), await newViewer()];
  await reserveKey(db, asha, keyOf('a'), 'asha a', NOW);
  await reserveKey(db, asha, keyOf('b'), 'asha b', NOW);
  await reserveKey(db, juma, keyOf('a'), 'juma a', NOW);
  await releaseKey(db, asha, keyOf('a'), 'asha a', sql`true`);
  await releaseKey(db, asha, keyOf('a'), 'of another request', sql`false`);
  expect(await keysOf(asha, juma)).toEqual(['asha a', 'asha b', 'juma a']);
  await releaseKey(db, asha, keyOf('a'), 'asha a', sql`false`);
  expect(await keysOf(asha, juma)).toEqual(['asha b', 'juma a']);
});

test('a request without an idempotency key reserves no key', async () => {
  const viewer = await newViewer();
  await reserveKey(db, viewer, null, 'made', NOW);
  expect(await keysOf(viewer)).toEqual([]);
  expect(await isTrue(hasReservedKey(viewer, null, 'made'))).toBe(true);
});

test('deleteSome deletes at most a thousand of the rows that meet its condition', async () => {
  const rowsAt = async (at: number) => {
    const [row] = await db.all<{ n: number }>(
      sql`select count(*) as n from whatsapp_incoming where received_at = ${at}`,
    );
    return row?.n;
  };
  await db.run(sql`
    insert into whatsapp_incoming (id, received_at)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 1003)
    select 'row ' || i, case when i = 1 then 2 else 1 end from n`);
  await deleteSome(db, whatsappIncoming, sql`received_at = 1`);
  expect([await rowsAt(1), await rowsAt(2)]).toEqual([2, 1]);
});

test.each([
  [0, MINUTE_MS],
  [1, 2 * MINUTE_MS],
  [5, 32 * MINUTE_MS],
  [10, 1024 * MINUTE_MS],
  [11, 1024 * MINUTE_MS],
])('a job with %i earlier failures is retried %i ms after its next failure', async (failures, delayMs) => {
  const [row] = await db.all<{ at: number }>(sql`
    select ${nextTry(NOW, 'failures')} as at from (select ${failures} as failures)`);
  expect(row).toEqual({ at: NOW + delayMs });
});

describe('retries of database calls', () => {
  const LOST = 'D1_ERROR: Network connection lost.';

  type Loss = 'on the way' | 'on the way back';

  /**
   * Sends a request to the app while some of its calls to the real database fail.
   * @returns the response and the number of database calls.
   */
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
      /** Returns where the database call with this number, counted from 1, is lost; null if the call succeeds. */
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

  /**
   * Registers a person who has used the app within the hour: a first use would be recorded in a separate call after the
   * response.
   */
  async function newUser() {
    const person = await newPerson();
    await askLosing('GET', '/api/me', { token: person.token, lose: () => null });
    return person;
  }

  async function expectUnavailable(answer: Response): Promise<void> {
    expect([answer.status, (await answer.json<ErrorBody>()).code]).toEqual([503, 'unavailable']);
    expect(answer.headers.get('Retry-After')).toBe('2');
  }

  // Removes the random pauses between two tries.
  beforeEach(() => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test.each([
    LOST,
    'D1_ERROR: Internal error in D1 DB storage caused object to be reset.',
    'D1_ERROR: D1 DB reset because its code was updated.',
    'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
    "D1_ERROR: Can't read from request stream because client disconnected.",
  ])('a read that fails with "%s" is retried up to five times', async (message) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { token } = await newUser();
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
  ])('a read that fails with "%s" is not retried', async (message) => {
    const { answer, calls } = await askLosing('GET', '/api/posts', { message, lose: () => 'on the way' });
    await expectUnavailable(answer);
    expect(calls).toBe(1);
  });

  test('an invalid SQL statement gives 500 without a retry', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { answer, calls } = await askLosing('GET', '/api/posts', {
      message: 'D1_ERROR: no such column: x: SQLITE_ERROR',
      lose: () => 'on the way',
    });
    expect([answer.status, calls]).toEqual([500, 1]);
    expect(log).toHaveBeenCalledOnce();
  });

  test.each(['on the way', 'on the way back'] as const)(
    'if the database call for a new post is lost (where: %s), the Worker does not retry; the client’s retry creates one post',
    async (loss) => {
      const { id, token } = await newUser();
      const request = { token, body: somePost, key: 'ufunguo' };
      // The request's first database call reads. The second call writes, and is the lost one.
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
    'if the database call for an idempotent write is lost (where: %s), the Worker retries the call',
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
});

const named = () => z.object({ name: z.string() });

test.each([
  ['queryRows', (query: ReturnType<typeof sql>) => queryRows(openDb(env), named)`${query}`],
  [
    'queryRows in a batch',
    async (query: ReturnType<typeof sql>) => {
      const db = openDb(env);
      const { rows } = await batch(db, { rows: queryRows(db, named)`${query}` });
      return rows;
    },
  ],
  ['queryFirst', async (query: ReturnType<typeof sql>) => [await queryFirst(openDb(env), named)`${query}`]],
  [
    'queryFirst in a batch',
    async (query: ReturnType<typeof sql>) => {
      const db = openDb(env);
      const { row } = await batch(db, { row: queryFirst(db, named)`${query}` });
      return [row];
    },
  ],
])('a database row read with %s is reported as a problem if the row differs from its schema', async (_where, ask) => {
  expect(await ask(sql`select 'Asha' as name`)).toEqual([{ name: 'Asha' }]);
  expect(takeRowProblems()).toEqual([]);
  await ask(sql`select null as name`);
  expect(takeRowProblems()).toEqual([expect.stringContaining('expected')]);
  await ask(sql`select 'Asha' as name, 1 as age`);
  expect(takeRowProblems()).toEqual([expect.stringContaining('age too much')]);
  await ask(sql`select 'Asha' as other`);
  expect(takeRowProblems()).toHaveLength(1);
});

const SOURCES = import.meta.glob<string>('/worker/**/*.ts', { query: '?raw', import: 'default', eager: true });

test('every raw SQL statement in the Worker declares the type of its rows by a schema', () => {
  const casting = Object.entries(SOURCES).filter(([, source]) =>
    /\.(all|get|values)(<(?!RowOf<Schema>)|\(\s*sql\b)/.test(source),
  );
  expect(casting.map(([file]) => file)).toEqual([]);
});

const ask: Ask = async (statement) => (await env.DB.prepare(statement).all<Record<string, unknown>>()).results;

async function found(isSettled = false): Promise<string[]> {
  return (await findInconsistencies(ask, { isSettled })).map((problem) => problem.split(':')[0] ?? '');
}

/** Statements that make the database inconsistent, each with the finding that the consistency check must report. */
const BREAKAGES: [statement: string, what: string][] = [
  [
    "insert into match_terms (posted_by, term, post_seq) values ('owner', 'x', 999999)",
    'terms are left of a post that is not open',
  ],
  [
    "insert into match_readings (post_seq, version, reading, agreeable) values (999999, '', '', '')",
    'a reading is left of a post that is not open',
  ],
  ["update match_pairs set lost_post_id = 'gone'", 'a pair has lost a post'],
  ["update claims set state = 'accepted'", 'a post is handed to two'],
  ['update communities set member_count = member_count + 1', 'the members of a community are miscounted'],
];

test('the consistency check finds every inconsistency in the database, and none in a consistent database', async () => {
  const [owner, finder, claimant] = [await newPerson(), await newPerson(), await newPerson()];
  const { lost, found: thing } = lostAndFound();
  await postAndMatch(owner, lost);
  const postId = await postAndMatch(finder, thing);
  await newApprovedCommunity();
  await insertClaim({ postId, finder, claimant });
  await insertClaim({ postId, finder, claimant: owner });
  await sweepIn(1);
  expect(await found(true)).toEqual([]);
  const known: string[] = [];
  for (const [statement, what] of BREAKAGES) {
    await env.DB.exec(statement);
    known.push(what);
    expect((await found()).sort()).toEqual([...known].sort());
  }
  await env.DB.exec('update notices set delivered_at = null');
  await env.DB.exec('update posts set match_pending_since = 1');
  expect(await found(true)).toEqual(
    expect.arrayContaining(['a post waits to be matched', 'a notice waits for its mailbox']),
  );
});

test('the consistency check finds a post missing from a search index', async () => {
  const id = await postAndMatch(await newPerson(), { posted_by: 'finder', title: 'Mwavuli mwekundu' });
  const row = await env.DB.prepare('select seq, search_text from posts where id = ?').bind(id).first();
  await env.DB.prepare("insert into posts_search (posts_search, rowid, search_text) values ('delete', ?, ?)")
    .bind(row?.seq, row?.search_text)
    .run();
  expect(await found()).toContain('the index of posts differs from them');
  await env.DB.exec("insert into posts_search (posts_search) values ('rebuild')");
});
