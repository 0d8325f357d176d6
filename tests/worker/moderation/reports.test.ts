import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { DAY_MS } from '#contract/durations.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { LogEntry, ReportedPost } from '#contract/moderation.ts';
import { ask, call, newPerson, newPost, type Person } from '#tests/worker/support/api.ts';
import { claimed, newClaim, refusal, step } from '#tests/worker/support/claims.ts';
import { newPlatformAdmin } from '#tests/worker/support/communities.ts';
import {
  decide,
  hidersOf,
  newReporter,
  report,
  reportThrice,
  statusFor,
  toldTo,
} from '#tests/worker/support/moderation.ts';
import { batch, openDb } from '#worker/db/client.ts';
import { planErasure } from '#worker/leaving/erase-person.ts';
import { exportPerson } from '#worker/leaving/export-account.ts';

async function codeOf(answer: Response): Promise<string> {
  return (await answer.json<ErrorBody>()).code;
}

async function openCaseOf(postId: string): Promise<ReportedPost | undefined> {
  const answer = await call('GET', '/api/admin/reports?limit=100', undefined, await newPlatformAdmin());
  return (await answer.json<ReportedPost[]>()).find(({ post }) => post.id === postId);
}

test('one report adds the post to the admins’ queue, and does not hide the post', async () => {
  const [author, reporter] = [await newPerson(), await newReporter()];
  const { id } = await newPost(author);
  const answer = await report(id, reporter, { reason: 'private_data', text: '   ' });
  expect([answer.status, await answer.json()]).toEqual([201, { id: expect.any(String) }]);
  expect(await openCaseOf(id)).toMatchObject({
    status: 'open',
    post: { id, is_hidden: false, hidden_by: [] },
    author: { id: author.id, username: author.username, is_number_proven: false, post_count: 1, reports_against: 1 },
    reports: [{ reason: 'private_data', text: null, reporter_id: reporter.id }],
    reporters: [{ id: reporter.id, is_number_proven: true, reports_made: 1, reports_against: 0 }],
    decision: null,
    decided_at: null,
  });
  expect(await toldTo(author)).toEqual([]);
});

test('a post reported by three people with four-day-old accounts and proven phone numbers is hidden, and its author reads the reason', async () => {
  const [author, stranger] = [await newPerson(), await newPerson()];
  const { id, title } = await newPost(author);
  const [first, second, third] = [await newReporter(), await newReporter(), await newReporter()];
  await report(id, first, { reason: 'scam' });
  await report(id, second, { reason: 'offensive', text: 'Anadai pesa kwanza' });
  expect(await statusFor(id, stranger)).toBe(200);
  await report(id, third, { reason: 'scam' });
  for (const viewer of [stranger, first, {}]) expect(await statusFor(id, viewer)).toBe(404);
  expect(await (await call('GET', `/api/posts/${id}`, undefined, author)).json()).toMatchObject({
    is_hidden: true,
    hidden_by: ['reports'],
    hidden_reason: 'scam',
  });
  expect(await toldTo(author)).toEqual([
    expect.objectContaining({ type: 'post_hidden', post_id: id, title, hidden_by: 'reports', reason: 'scam' }),
  ]);
});

test('reports by accounts that are new or have no proven phone number do not hide a post', async () => {
  const [author, stranger] = [await newPerson(), await newPerson()];
  const { id } = await newPost(author);
  const friends = [
    await newReporter({ isProven: false }),
    await newReporter({ isProven: false, ageDays: 400 }),
    await newReporter({ ageDays: 2.99 }),
    await newReporter({ ageDays: 0 }),
    await newReporter(),
  ];
  for (const friend of friends) expect((await report(id, friend)).status).toBe(201);
  // A second report by the same person is refused, whatever reason the person gives.
  for (const reason of ['scam', 'offensive', 'other']) {
    const again = await report(id, friends[4] ?? {}, { reason });
    expect([again.status, await codeOf(again)]).toEqual([409, 'already_reported']);
  }
  // A later change of a reporter's account or phone number does not affect earlier reports.
  await env.DB.prepare('update phone_numbers set proven_at = 1').run();
  await env.DB.prepare('update users set created_at = 1').run();
  const last = await newReporter({ isProven: false });
  await report(id, last);
  expect(await statusFor(id, stranger)).toBe(200);
  expect((await openCaseOf(id))?.reports).toHaveLength(6);
});

test('a report by a person who claims the thing does not count towards hiding its post', async () => {
  const [author, stranger, claimant] = [await newPerson(), await newPerson(), await newReporter()];
  const { id } = await newPost(author);
  await newClaim(id, claimant);
  for (const reporter of [claimant, await newReporter(), await newReporter()])
    expect((await report(id, reporter)).status).toBe(201);
  expect(await statusFor(id, stranger)).toBe(200);
  await report(id, await newReporter());
  expect(await statusFor(id, stranger)).toBe(404);
});

test('new reports never hide a post that an admin has restored, and the admins’ queue lists these reports', async () => {
  const [author, stranger, admin] = [await newPerson(), await newPerson(), await newPlatformAdmin()];
  const { id } = await newPost(author);
  await reportThrice(id);
  expect((await decide('restore', id, admin)).status).toBe(204);
  expect(await statusFor(id, stranger)).toBe(200);
  expect(await openCaseOf(id)).toBeUndefined();
  await reportThrice(id);
  expect(await statusFor(id, stranger)).toBe(200);
  expect((await openCaseOf(id))?.reports).toHaveLength(6);
});

test('if an admin restores a reported but visible post, its reports are closed, and later reports do not hide the post', async () => {
  const [author, stranger, admin] = [await newPerson(), await newPerson(), await newPlatformAdmin()];
  const { id } = await newPost(author);
  await report(id, await newReporter());
  await decide('restore', id, admin);
  expect(await openCaseOf(id)).toBeUndefined();
  expect(await toldTo(author)).toEqual([]);
  await reportThrice(id);
  expect(await statusFor(id, stranger)).toBe(200);
});

test('if a report breaks several rules, the error names the rule that is checked first', async () => {
  const [author, reporter, stranger] = [await newPerson(), await newReporter(), await newPerson()];
  const { id } = await newPost(author);
  const own = await report(id, author);
  expect([own.status, await codeOf(own)]).toEqual([409, 'own_post']);
  expect((await report('hakuna', reporter)).status).toBe(404);
  expect((await report(id, {})).status).toBe(401);
  for (const input of [{}, { reason: 'spam' }, { reason: 'scam', text: 'a'.repeat(501) }, { reason: 'scam', text: 7 }])
    expect((await report(id, reporter, input)).status).toBe(422);
  expect((await report(id, reporter, { reason: 'other', text: 'a'.repeat(500) })).status).toBe(201);
  await report(id, await newReporter());
  await report(id, await newReporter());
  const hidden = await report(id, stranger);
  expect([hidden.status, await codeOf(hidden)]).toEqual([404, 'post_not_found']);
});

test('a person can make five reports a day; a repeated report is refused with already_reported even when the limit is used up', async () => {
  const [author, reporter] = [await newPerson(), await newPerson()];
  const posts = [];
  for (let count = 0; count < 6; count++) posts.push((await newPost(author)).id);
  const [first = '', , , , , sixth = ''] = posts;
  for (const id of posts.slice(0, 5)) expect((await report(id, reporter)).status).toBe(201);
  const refused = await report(sixth, reporter);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect((await report(first, reporter)).status).toBe(409);
});

test('ten concurrent reports by one person on the same post store only one report', async () => {
  const [author, reporter, careful] = [await newPerson(), await newReporter(), await newReporter()];
  const { id } = await newPost(author);
  const ten = <Result>(make: () => Promise<Result>) => Promise.all(Array.from({ length: 10 }, make));
  const answers = await ten(() => report(id, reporter));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  const headers = { 'Idempotency-Key': 'ripoti' };
  const same = await ten(() => report(id, { ...careful, headers }));
  const ids = await Promise.all(same.map(async (answer) => (await answer.json<{ id: string }>()).id));
  expect(new Set(ids).size).toBe(1);
  expect((await report(id, { ...careful, headers }, { reason: 'other' })).status).toBe(422);
  expect((await openCaseOf(id))?.reports).toHaveLength(2);
  // The idempotency key applies to one path only.
  const other = await newPost(author);
  expect((await report(other.id, { ...careful, headers })).status).toBe(201);
});

test('if three people report a post concurrently, the post is hidden only once', async () => {
  const author = await newPerson();
  const { id } = await newPost(author);
  const reporters = await Promise.all(Array.from({ length: 5 }, () => newReporter()));
  const answers = await Promise.all(reporters.map((reporter) => report(id, reporter)));
  for (const { status } of answers) expect([201, 404]).toContain(status);
  expect(await hidersOf(id, author)).toEqual(['reports']);
  expect(await toldTo(author)).toHaveLength(1);
  const logged = await env.DB.prepare('select action, actor_id from moderation_log where target_id = ?').bind(id).all();
  expect(logged.results).toEqual([{ action: 'hide', actor_id: null }]);
});

test('the setting for the minimum age of a reporter’s account is ignored if the app sends real WhatsApp messages', async () => {
  const headers = (token: string) => ({ Authorization: `Bearer ${token}` });
  const deployed = {
    WHATSAPP_TRANSPORT: 'cloud-api',
    WHATSAPP_PHONE_NUMBER_ID: '1',
    WHATSAPP_ACCESS_TOKEN: 'x',
    REPORTER_MIN_AGE_SECONDS: '0',
  };
  const cases: [bindings: object, status: number][] = [
    [deployed, 200],
    [{ REPORTER_MIN_AGE_SECONDS: '0' }, 404],
  ];
  for (const [bindings, status] of cases) {
    const { id } = await newPost(await newPerson());
    for (let count = 0; count < 3; count++) {
      const { token } = await newReporter({ ageDays: 0.01 });
      expect((await ask(bindings, `/api/posts/${id}/reports`, { reason: 'scam' }, headers(token))).status).toBe(201);
    }
    expect(await statusFor(id, {})).toBe(status);
  }
});

describe('reports, the moderation queue and the moderation log', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Returns the rows of all pages. */
  async function walk<Item>(start: string, admin: Person): Promise<Item[]> {
    const seen: Item[] = [];
    let path: string | undefined = start;
    while (path) {
      const answer: Response = await call('GET', path, undefined, admin);
      seen.push(...(await answer.json<Item[]>()));
      path = /<(.+)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1];
    }
    return seen;
  }

  function insertReport(postId: string, authorId: string, at: number): Promise<unknown> {
    return env.DB.prepare(
      `insert into post_reports (id, post_id, author_id, reporter_id, reason, text, is_counted, created_at)
     values (?, ?, ?, null, 'scam', ?, 0, ?)`,
    )
      .bind(crypto.randomUUID(), postId, authorId, String(at), at)
      .run();
  }

  test('the moderation log is paginated, newest entry first, and entries of the same moment are ordered by id', async () => {
    const admin = await newPlatformAdmin();
    const later = Date.now() + DAY_MS;
    for (const [id, at] of [
      ['b', later],
      ['a', later],
      ['c', later],
      ['d', later - 1],
    ] as const)
      await env.DB.prepare(
        "insert into moderation_log (id, action, target_type, target_id, created_at) values (?, 'hide', 'post', 'kurasa', ?)",
      )
        .bind(id, at)
        .run();
    const entries = await walk<LogEntry>('/api/admin/log?limit=1', admin);
    expect(entries.slice(0, 4).map(({ id }) => id)).toEqual(['c', 'b', 'a', 'd']);
    expect(entries[0]).toEqual({
      ...{ id: 'c', actor_id: null, action: 'hide', target_type: 'post', target_id: 'kurasa', reason: null },
      ...{ actor_name: null, target_name: null },
      created_at: new Date(later).toISOString(),
    });
  });

  test('cases opened at the same moment are ordered by id, ascending; cases decided at the same moment, descending', async () => {
    const [author, reporter, admin] = [await newPerson(), await newReporter(), await newPlatformAdmin()];
    await env.DB.prepare('delete from moderation_cases').run();
    const posts = [await newPost(author), await newPost(author), await newPost(author)];
    for (const { id } of posts) await report(id, reporter);
    const idsOf = async (status: string) => {
      await env.DB.prepare('update moderation_cases set since = 1').run();
      return (await walk<ReportedPost>(`/api/admin/reports?limit=1&status=${status}`, admin)).map(({ id }) => id);
    };
    const open = await idsOf('open');
    expect(open).toHaveLength(3);
    expect(open).toEqual(open.toSorted());
    for (const { id } of posts) await decide('restore', id, admin);
    expect(await idsOf('decided')).toEqual(open.toReversed());
  });

  test('a case contains its twenty latest reports, and how and when an admin decided the case', async () => {
    const [author, reporter, other, admin] = [
      await newPerson(),
      await newReporter(),
      await newReporter(),
      await newPlatformAdmin(),
    ];
    await env.DB.prepare('delete from moderation_cases').run();
    const [first, second] = [await newPost(author), await newPost(author)];
    await report(first.id, reporter);
    await report(second.id, other, { reason: 'other', text: 'Nyingine' });
    for (let at = 1; at <= 20; at++) await insertReport(first.id, author.id, at);
    const read = async (status: string) => walk<ReportedPost>(`/api/admin/reports?limit=10&status=${status}`, admin);
    const [busy, quiet] = await read('open');
    expect(busy?.reports.map(({ text }) => text)).toEqual([
      null,
      ...Array.from({ length: 19 }, (_, n) => String(20 - n)),
    ]);
    expect(busy?.reporters.map(({ id }) => id)).toEqual([reporter.id]);
    expect(busy?.author).toMatchObject({ id: author.id, post_count: 2, reports_against: 22, is_suspended: false });
    expect(quiet?.reports).toEqual([
      { ...{ reason: 'other', text: 'Nyingine', reporter_id: other.id, claim: null }, created_at: expect.any(String) },
    ]);
    expect(quiet?.reporters).toMatchObject([{ id: other.id, reports_made: 1, is_number_proven: true }]);
    await decide('hide', second.id, admin);
    const [decided, ...rest] = await read('decided');
    expect(rest).toEqual([]);
    expect(decided).toMatchObject({ status: 'decided', decision: 'hidden', is_edited: false });
    expect(decided?.decided_at).toBe(decided?.since);
    await report(second.id, reporter);
    await call('PUT', `/api/posts/${second.id}`, { ...second, title: 'Simu', community_code: null }, author);
    const again = (await read('open')).find(({ post }) => post.id === second.id);
    expect(again).toMatchObject({ status: 'open', decision: null, decided_at: null, is_edited: true });
  });

  test('a report counts towards hiding a post only if the reporter’s account is older than three days', async () => {
    const now = Date.now() + DAY_MS;
    vi.useFakeTimers({ toFake: ['Date'], now });
    const author = await newPerson();
    const { id } = await newPost(author);
    const reporters = [await newReporter(), await newReporter(), await newReporter(), await newReporter()];
    const [, , young, old] = reporters.map((reporter) => reporter.id);
    const setAge = (person: string | undefined, ms: number) =>
      env.DB.prepare('update users set created_at = ? where id = ?')
        .bind(now - ms, person)
        .run();
    await setAge(young, 3 * DAY_MS);
    await setAge(old, 3 * DAY_MS + 1);
    for (const reporter of reporters.slice(0, 3)) await report(id, reporter);
    expect(await hidersOf(id, author)).toEqual([]);
    for (const reporter of reporters.slice(3)) await report(id, reporter);
    expect(await hidersOf(id, author)).toEqual(['reports']);
  });

  test('the author of a post hidden by reports sees the most frequent reason among the post’s undecided reports', async () => {
    const [author, admin] = [await newPerson(), await newPlatformAdmin()];
    const { id } = await newPost(author);
    for (let n = 0; n < 4; n++) await report(id, await newPerson(), { reason: 'offensive' });
    await decide('hide', id, admin);
    await env.DB.prepare('update posts set hidden_by = 0, hidden_reason = null where id = ?').bind(id).run();
    await reportThrice(id);
    const post = await (await call('GET', `/api/posts/${id}`, undefined, author)).json<object>();
    expect(post).toMatchObject({ hidden_by: ['reports'], hidden_reason: 'scam' });
    const logged = await env.DB.prepare('select reason from moderation_log where target_id = ? and actor_id is null')
      .bind(id)
      .all();
    expect(logged.results).toEqual([{ reason: 'scam' }]);
  });

  test('a hidden post keeps the reason for its hiding when its author is suspended', async () => {
    const [author, admin] = [await newPerson(), await newPlatformAdmin()];
    const { id } = await newPost(author);
    await decide('hide', id, admin);
    await call('POST', `/api/admin/users/${author.id}/suspend`, { reason: 'Utapeli' }, admin);
    const post = await (await call('GET', `/api/posts/${id}`, undefined, author)).json<object>();
    expect(post).toMatchObject({ hidden_by: ['admin', 'suspension'], hidden_reason: 'Ni utapeli' });
  });

  test('only the two parties of a claim can report the claim, and reports of posts and claims share one daily limit', async () => {
    const { id, claimant, finder, post } = await claimed();
    const admin = await newPlatformAdmin();
    const body = { reason: 'scam' };
    expect(await refusal(step(id, 'reports', await newPerson(), body))).toEqual([404, 'claim_not_found']);
    const headers = { 'Idempotency-Key': 'ripoti-ya-dai' };
    const send = (input: object) => call('POST', `/api/claims/${id}/reports`, input, { ...claimant, headers });
    const answers = [await send(body), await send(body)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const [first, second] = await Promise.all(answers.map((answer) => answer.json()));
    expect(second).toEqual(first);
    expect(await refusal(send({ reason: 'other' }))).toEqual([422, 'idempotency_mismatch']);
    const told = await env.DB.prepare(
      "select delivered_at from notices where recipient_id = ? and type = 'reports_waiting'",
    )
      .bind(admin.id)
      .all();
    expect(told.results).toEqual([{ delivered_at: expect.any(Number) }]);
    const open = await walk<ReportedPost>('/api/admin/reports?limit=100', admin);
    expect(open.filter((entry) => entry.post.id === post.id)).toHaveLength(1);
    for (let n = 0; n < 5; n++) expect((await report((await newPost(claimant)).id, finder)).status).toBe(201);
    expect((await step(id, 'reports', finder, body)).status).toBe(429);
  });

  test('a person’s reports and decisions are in their data export, and are stored without the person’s id after an erasure', async () => {
    const [person, author, other] = [await newPlatformAdmin(), await newPerson(), await newPlatformAdmin()];
    const posts = [await newPost(author), await newPost(author)];
    for (const { id } of posts) await report(id, person, { reason: 'other', text: 'Si yake' });
    await report(posts[0]?.id ?? '', other);
    const [first, second] = posts.map(({ id }) => id);
    await env.DB.prepare('update post_reports set created_at = 1 where post_id = ? and reporter_id = ?')
      .bind(second, person.id)
      .run();
    for (const [claimId, at] of [
      ['dai-jipya', 2],
      ['dai-la-zamani', 1],
    ] as const)
      await env.DB.prepare(
        "insert into claim_reports (id, claim_id, post_id, reporter_id, reason, created_at) values (?1, ?1, '', ?2, 'scam', ?3)",
      )
        .bind(claimId, person.id, at)
        .run();
    await decide('hide', first ?? '', person);
    await decide('hide', second ?? '', other);
    const db = openDb(env);
    const own = { reason: 'other', text: 'Si yake', created_at: expect.any(String) };
    const ofClaim = { reason: 'scam', text: null };
    const decision = { action: 'hide', target_type: 'post', target_id: first, reason: 'Ni utapeli' };
    expect(await exportPerson(db, person.id)).toMatchObject({
      reports: [
        { ...own, post_id: second },
        { ...own, post_id: first },
      ],
      claim_reports: [
        { ...ofClaim, claim_id: 'dai-la-zamani', created_at: '1970-01-01T00:00:00.001Z' },
        { ...ofClaim, claim_id: 'dai-jipya', created_at: '1970-01-01T00:00:00.002Z' },
      ],
      decisions: [{ ...decision, created_at: expect.any(String) }],
    });
    await batch(db, planErasure(db, person.id).moderation);
    const count = async (table: string, where: string) =>
      env.DB.prepare(`select count(*) as n from ${table} where ${where}`).first('n');
    expect(await count('post_reports', `post_id in ('${first}', '${second}') and reporter_id is null`)).toBe(2);
    expect(await count('claim_reports', "claim_id like 'dai-%' and reporter_id is null")).toBe(2);
    expect(await count('post_reports', `reporter_id = '${other.id}'`)).toBe(1);
    expect(await count('moderation_log', `target_id = '${first}' and actor_id is null`)).toBe(1);
    expect(await count('moderation_log', `target_id = '${second}' and actor_id = '${other.id}'`)).toBe(1);
    expect(await count('moderation_cases', `post_id in ('${first}', '${second}')`)).toBe(2);
  });
});
