import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { DAY_MS } from '#contract/durations.ts';
import type { LogEntry, ReportedPost } from '#contract/moderation.ts';
import { openDb } from '#worker/db/client.ts';
import { moderationData } from '#worker/moderation/index.ts';
import { call, newPerson, newPost, type Person } from './support/api.ts';
import { claimed, refusal, step } from './support/claims.ts';
import { newPlatformAdmin } from './support/communities.ts';
import { decide, hidersOf, newReporter, report, reportThrice } from './support/moderation.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Everything from the first page to the last one. */
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

test('the log comes in pages, newest first, and of one moment in the order of the ids', async () => {
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

test('cases of one moment come in the order of their ids, open ones forwards and decided ones backwards', async () => {
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

test('a case has its own reports, the twenty latest of them, and says how and when it was decided', async () => {
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

test('an account counts once it is older than three days, and not at that very moment', async () => {
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

test('why reports hide a post is what most of those say on which nobody has decided', async () => {
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

test('a suspension leaves the reason of what was hidden already', async () => {
  const [author, admin] = [await newPerson(), await newPlatformAdmin()];
  const { id } = await newPost(author);
  await decide('hide', id, admin);
  await call('POST', `/api/admin/users/${author.id}/suspend`, { reason: 'Utapeli' }, admin);
  const post = await (await call('GET', `/api/posts/${id}`, undefined, author)).json<object>();
  expect(post).toMatchObject({ hidden_by: ['admin', 'suspension'], hidden_reason: 'Ni utapeli' });
});

test('a claim is reported by its two people alone, once by one key, and as often as posts are', async () => {
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

test('what somebody reported and decided is in their export, oldest first, and stays without them', async () => {
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
  const own = { reason: 'other', text: 'Si yake', created_at: expect.any(Number) };
  const ofClaim = { reason: 'scam', text: null };
  const decision = { action: 'hide', target_type: 'post', target_id: first, reason: 'Ni utapeli' };
  expect(await moderationData.exportFor(db, person.id)).toEqual({
    reports: [
      { ...own, post_id: second },
      { ...own, post_id: first },
    ],
    claim_reports: [
      { ...ofClaim, claim_id: 'dai-la-zamani', created_at: 1 },
      { ...ofClaim, claim_id: 'dai-jipya', created_at: 2 },
    ],
    decisions: [{ ...decision, created_at: expect.any(Number) }],
  });
  const [statement, ...rest] = moderationData.eraseFor(db, person.id);
  if (statement) await db.batch([statement, ...rest]);
  const count = async (table: string, where: string) =>
    env.DB.prepare(`select count(*) as n from ${table} where ${where}`).first('n');
  expect(await count('post_reports', `post_id in ('${first}', '${second}') and reporter_id is null`)).toBe(2);
  expect(await count('claim_reports', "claim_id like 'dai-%' and reporter_id is null")).toBe(2);
  expect(await count('post_reports', `reporter_id = '${other.id}'`)).toBe(1);
  expect(await count('moderation_log', `target_id = '${first}' and actor_id is null`)).toBe(1);
  expect(await count('moderation_log', `target_id = '${second}' and actor_id = '${other.id}'`)).toBe(1);
  expect(await count('moderation_cases', `post_id in ('${first}', '${second}')`)).toBe(2);
});
