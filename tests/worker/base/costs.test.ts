import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod/mini';
import type { Claim } from '#contract/claims.ts';
import { LIVE_PROTOCOL, LIVE_TICKET_PREFIX, type RealtimeTicket } from '#contract/live-messages.ts';
import type { Post } from '#contract/posts.ts';
import { call, newPerson, newPost, ORIGIN, type Person, PlatformCache, somePost } from '#tests/worker/support/api.ts';
import { ANSWER, FOUND, newClaim, take } from '#tests/worker/support/claims.ts';
import { communityCodeOf, newApprovedCommunity } from '#tests/worker/support/communities.ts';
import {
  type Asked,
  askFar,
  countTrips,
  type Distance,
  expectTrips,
  Odometer,
} from '#tests/worker/support/count-trips.ts';
import { passCalls } from '#tests/worker/support/mortal-env.ts';
import { channelOf, lostAndFound } from '#tests/worker/support/notices.ts';
import { forgetPosts, insertPosts, savePost } from '#tests/worker/support/posts.ts';
import { forgetSwitches } from '#worker/admin/switches.ts';
import { app } from '#worker/app.ts';
import { batch, openDb, type Plan } from '#worker/db/client.ts';
import { queryFirst, queryRows } from '#worker/db/statements.ts';
import { matchPost } from '#worker/matching/match-post.ts';

const READ = 1;
const WRITE = 2;

test('each GET request for the account or for posts calls the database once', async () => {
  const { community, creator } = await newApprovedCommunity();
  const code = await communityCodeOf(community.id, creator);
  const { id } = await newPost(creator);
  for (const path of [
    '/api/me',
    '/api/posts',
    '/api/posts?search=simu',
    '/api/posts?search=ya',
    `/api/posts?community_code=${code}`,
    `/api/posts?community_code=${code}&search=simu`,
    '/api/posts/by-owner',
    `/api/posts/${id}`,
  ])
    await expectTrips(READ, 200, 'GET', path, creator);
  for (const path of ['/api/posts', '/api/posts?search=simu', `/api/posts/${id}`])
    await expectTrips(READ, 200, 'GET', path);
});

test('each API request that changes data calls the database at most twice', async () => {
  const person = await newPerson();
  const made = await expectTrips(WRITE, 201, 'POST', '/api/posts', { ...person, body: somePost });
  const { id } = await made.answer.json<Post>();
  const headers = { 'Idempotency-Key': 'ufunguo' };
  await expectTrips(WRITE, 201, 'POST', '/api/posts', { ...person, body: somePost, headers });
  await expectTrips(READ, 201, 'POST', '/api/posts', { ...person, body: somePost, headers });
  await expectTrips(WRITE, 200, 'PUT', `/api/posts/${id}`, { ...person, body: somePost });
  await expectTrips(WRITE, 200, 'PATCH', `/api/posts/${id}/found`, person);
  await expectTrips(WRITE, 200, 'DELETE', `/api/posts/${id}/found`, person);
  await expectTrips(WRITE, 204, 'DELETE', `/api/posts/${id}`, person);
  const registration = {
    username: 'x',
    email: 'safari@example.com',
    whatsapp_number: '+255799000003',
    password: person.password,
  };
  // An earlier registration reads the feature switches, which are then cached for five seconds. The measured
  // registration therefore does not read them.
  const earlier = { ...registration, email: 'mapema@example.com', whatsapp_number: '+255799000004' };
  expect((await call('POST', '/api/users', earlier)).status).toBe(201);
  await expectTrips(WRITE, 201, 'POST', '/api/users', { body: registration });
  const credentials = new URLSearchParams({ username: person.email, password: person.password });
  await expectTrips(WRITE, 200, 'POST', '/api/login', { body: credentials });
  await expectTrips(1, 201, 'POST', '/api/feedback', { body: { email: 'a@example.com', message: 'Asante' } });
});

test('a request refused for its token, path, query or body does not call the database', async () => {
  const person = await newPerson();
  for (const [method, path, given, status] of [
    ['POST', '/api/posts', { ...person, body: {} }, 422],
    ['POST', '/api/posts', { body: somePost }, 401],
    ['GET', '/api/posts/by-owner', {}, 401],
    ['GET', '/api/posts?limit=0', {}, 422],
    ['GET', '/api/posts', { token: 'forged' }, 401],
    ['POST', '/api/users', { body: {} }, 422],
    ['GET', '/api/nothing', {}, 404],
    ['PATCH', '/api/posts', {}, 405],
  ] as const) {
    const { answer, trips } = await countTrips(method, path, given);
    expect([path, answer.status, trips]).toEqual([path, status, 0]);
  }
});

test('the test helper countTrips counts one database call for a list of posts, and two for the creation of a post', async () => {
  const person = await newPerson();
  const read = await countTrips('GET', '/api/posts', person);
  expect([read.trips, read.rowsRead > 0]).toEqual([1, true]);
  expect((await countTrips('POST', '/api/posts', { ...person, body: somePost })).trips).toBe(2);
});

// A response, and how often its request waited for the database and for people's Durable Objects. Both may be on
// another continent, so each wait is long. Concurrent calls count once.
type Trip = Distance & { answer: Response };

/** The edge cache in front of the Worker; empty at first. */
const cache = new PlatformCache();

async function ask(asked: Asked, status: number): Promise<Trip> {
  // Makes the measured request read the feature switches, which an isolate reads every few seconds.
  forgetSwitches();
  const { answer, gone } = await askFar(cache, asked);
  expect(answer.status, `${asked.method} ${asked.path}`).toBe(status);
  return { answer, ...gone };
}

const once = { database: 1, objects: 0 };
const twice = { database: 2, objects: 0 };
const thrice = { database: 3, objects: 0 };

test.each(['/api/posts?limit=20', '/api/posts?search=simu&limit=20', '/p/ID'])(
  'GET %s queries the database for the first visitor, and is cached for the next visitor',
  async (address) => {
    const post = await newPost(await newPerson());
    const path = address.replace('ID', post.id);
    expect(await ask({ method: 'GET', path }, 200)).toMatchObject(once);
    expect(await ask({ method: 'GET', path }, 200)).toMatchObject({ database: 0, objects: 0 });
  },
);

test('registering makes three database calls, signing in makes two, and listing posts while signed in makes one', async () => {
  const account = { username: 'Asha', email: 'asha@example.com', whatsapp_number: '+255799000111' };
  const body = { ...account, password: 'tumaini la kesho' };
  expect(await ask({ method: 'POST', path: '/api/users', body }, 201)).toMatchObject(thrice);
  const { email, password, token } = await newPerson();
  const credentials = new URLSearchParams({ username: email, password });
  expect(await ask({ method: 'POST', path: '/api/login', body: credentials }, 200)).toMatchObject(twice);
  expect(await ask({ method: 'GET', path: '/api/posts?limit=20', token }, 200)).toMatchObject(once);
});

test('creating a post makes two database calls, and reading its matches makes one', async () => {
  const { token } = await newPerson();
  const rest = { location: 'Kariakoo', phone_number: '0712345678', owner_first_name: '', owner_last_name: '' };
  const body = { ...rest, ...lostAndFound().lost };
  const headers = { 'Idempotency-Key': 'a' };
  const posted = await ask({ method: 'POST', path: '/api/posts', token, body, headers }, 201);
  expect(posted).toMatchObject(twice);
  const { id } = await posted.answer.json<Post>();
  expect(await ask({ method: 'GET', path: `/api/posts/${id}/matches`, token }, 200)).toMatchObject(once);
});

test('requesting a WebSocket ticket calls the database once, and opening the socket calls the mailbox object once', async () => {
  const { id, token } = await newPerson();
  const ticket = await ask({ method: 'POST', path: '/api/realtime/ticket', token }, 200);
  expect(ticket).toMatchObject(once);
  const { ticket: secret } = await ticket.answer.json<RealtimeTicket>();
  const headers = {
    Upgrade: 'websocket',
    'Sec-WebSocket-Protocol': `${LIVE_PROTOCOL}, ${LIVE_TICKET_PREFIX}${secret}`,
  };
  expect(await ask({ method: 'GET', path: `/ws/${id}`, headers }, 101)).toMatchObject({ database: 0, objects: 1 });
});

test('sending a notice calls the database three times and the mailbox object once', async () => {
  await forgetPosts();
  const [owner, finder] = [await newPerson(), await newPerson()];
  const { lost, found } = lostAndFound();
  await newPost(owner, lost);
  const odometer = new Odometer();
  await matchPost(odometer.env, openDb(odometer.env), await savePost(finder, found));
  expect(odometer.toObject).toEqual({ database: 3, objects: 1 });
});

test('claiming makes three database calls, reading a claim makes one, and a hand-over makes two', async () => {
  const [finder, owner, other]: [Person, Person, Person] = [await newPerson(), await newPerson(), await newPerson()];
  const [post, second] = [await newPost(finder, FOUND), await newPost(finder, FOUND)];
  const headers = { 'Idempotency-Key': 'b' };
  const claim = { method: 'POST', path: `/api/posts/${post.id}/claims`, body: { answer: ANSWER }, headers };
  expect(await ask({ ...claim, token: owner.token }, 201)).toMatchObject(thrice);
  const { id } = await newClaim(second.id, other);
  await take(id, 'accept', finder);
  const opened = await ask({ method: 'GET', path: `/api/claims/${id}`, token: other.token }, 200);
  expect(opened).toMatchObject(once);
  const { handover_code: code } = await opened.answer.json<Claim>();
  const handOver = { method: 'POST', path: `/api/claims/${id}/hand-over`, token: finder.token, body: { code } };
  expect(await ask(handOver, 200)).toMatchObject(twice);
});

const PLACE = { location: 'Kariakoo', phone_number: '0712345678', owner_first_name: '', owner_last_name: '' };

type Rows = { read: number; written: number };

/** Counts the rows that a request reads and writes, including those of the work after its response. */
async function rowsOf(method: string, path: string, { token }: Partial<Person> = {}, body?: object): Promise<Rows> {
  const rows = { read: 0, written: 0 };
  const DB = passCalls(env.DB, async (ask) => {
    const answer = await ask();
    for (const { meta } of [answer].flat() as { meta: D1Meta }[]) {
      rows.read += meta.rows_read;
      rows.written += meta.rows_written;
    }
    return answer;
  });
  const after: Promise<unknown>[] = [];
  const context = { waitUntil: (work: Promise<unknown>) => after.push(work), passThroughOnException() {}, props: {} };
  const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
  const request = new Request(`${ORIGIN}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const answer = await app.fetch(request, { ...env, DB }, context as never);
  expect(answer.ok).toBe(true);
  await Promise.all(after);
  return rows;
}

/** The costs that docs/scale.md states. */
const BUDGETS = {
  rowsReadPerPage: 200,
  rowsWrittenPerPost: 150,
  rowsWrittenPerNotice: 30,
  bytesPerPost: 7_000,
  bytesPerMailbox: 90_000,
};

function expectWithin(name: keyof typeof BUDGETS, measured: number): void {
  expect.soft(measured, name).toBeLessThanOrEqual(BUDGETS[name]);
}

test('creating a post or notice and reading a page of a list stay within their budgets of database rows', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const { lost, found } = lostAndFound();
  const post = await rowsOf('POST', '/api/posts', owner, { ...PLACE, ...lost });
  const matched = await rowsOf('POST', '/api/posts', finder, { ...PLACE, ...found });
  expect(matched.written).toBeGreaterThan(post.written);
  expectWithin('rowsWrittenPerPost', post.written);
  expectWithin('rowsWrittenPerNotice', matched.written - post.written);
  await insertPosts(
    owner.id,
    Array.from({ length: 1_000 }, (_, n) => `Simu nyeusi namba ${n}`),
  );
  const page = await rowsOf('GET', '/api/posts?limit=20');
  expectWithin('rowsReadPerPage', page.read);
});

test('a stored post and a stored mailbox each stay within a budget of bytes', async () => {
  const owner = await newPerson();
  const size = async () => (await env.DB.prepare('select 1').run()).meta.size_after;
  const authors = [owner, await newPerson(), await newPerson()];
  const posts = 60;
  const before = await size();
  for (let n = 0; n < posts; n++) {
    const title = `Nimeokota pochi ya ${crypto.randomUUID()} namba ${n}`;
    await rowsOf('POST', '/api/posts', authors[n % authors.length], {
      ...PLACE,
      posted_by: 'finder',
      title,
      description: '',
    });
  }
  expectWithin('bytesPerPost', ((await size()) - before) / posts);
  const { lost, found } = lostAndFound();
  const { id } = await newPost(owner, lost);
  expect(id).toBeDefined();
  await rowsOf('POST', '/api/posts', await newPerson(), { ...PLACE, ...found });
  const bytes = await runInDurableObject(channelOf(owner), (_object, { storage }) => storage.sql.databaseSize);
  expectWithin('bytesPerMailbox', bytes);
});

const db = openDb(env);
const numberRow = () => z.object({ n: z.number() });
const select = (n: number) => queryFirst(db, numberRow)`select ${n} as n`;

test('a batch of named SQL statements returns each result under its statement’s name, also in nested objects and lists', async () => {
  const results = await batch(db, {
    rows: queryRows(db, numberRow)`select 1 as n union all select 2`,
    group: { first: select(3), inner: { second: select(4) } },
    none: queryFirst(db, numberRow)`select 5 as n where false`,
    list: [select(6), select(7)],
    groups: [{ only: select(8) }],
    empty: {},
  });
  expectTypeOf(results.list).toEqualTypeOf<({ n: number } | undefined)[]>();
  expect(results).toEqual({
    rows: [{ n: 1 }, { n: 2 }],
    group: { first: { n: 3 }, inner: { second: { n: 4 } } },
    none: undefined,
    list: [{ n: 6 }, { n: 7 }],
    groups: [{ only: { n: 8 } }],
    empty: {},
  });
});

test('the named SQL statements of a batch run in the order in which the batch lists the names', async () => {
  const append = (letter: string) =>
    db.run(sql`
      insert into rate_counters (subject, count, window_ends_at) values ('order', ${letter}, 0)
      on conflict (subject) do update set count = count || excluded.count`);
  await batch(db, { z: append('a'), group: { y: append('b'), list: [append('c'), append('d')] }, a: append('e') });
  expect(await env.DB.prepare("select count from rate_counters where subject = 'order'").first('count')).toBe('abcde');
});

test('a batch without SQL statements makes no database call', async () => {
  expect(await batch(db, {})).toEqual({});
});

test('TypeScript reports an error for a batch that is a list, a batch with a numeric key, and drizzle’s own batch function', () => {
  // @ts-expect-error: a plan is not a list
  const list: Plan = [select(1)];
  // @ts-expect-error: a plan has no numeric keys
  const numbered: Plan = { 1: select(1) };
  // @ts-expect-error: our database type hides drizzle's own batch function
  const { batch: ofDrizzle } = db;
  expect([list, numbered, ofDrizzle]).toHaveLength(3);
});
