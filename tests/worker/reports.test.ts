import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { ReportedPost } from '#contract/moderation.ts';
import { ask, call, newPerson, newPost } from './support/api.ts';
import { newPlatformAdmin } from './support/communities.ts';
import { decide, hidersOf, newReporter, report, reportThrice, statusFor, toldTo } from './support/moderation.ts';

async function codeOf(answer: Response): Promise<string> {
  return (await answer.json<ErrorBody>()).code;
}

async function openCaseOf(postId: string): Promise<ReportedPost | undefined> {
  const answer = await call('GET', '/api/admin/reports?limit=100', undefined, await newPlatformAdmin());
  return (await answer.json<ReportedPost[]>()).find(({ post }) => post.id === postId);
}

test('one report puts the post before the admins and hides nothing', async () => {
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

test('three people who are known hide it, and its author is told why', async () => {
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

test('five friends do not hide a rival’s post', async () => {
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
  // The one who counts counts once, whatever they say the second time.
  for (const reason of ['scam', 'offensive', 'other']) {
    const again = await report(id, friends[4] ?? {}, { reason });
    expect([again.status, await codeOf(again)]).toEqual([409, 'already_reported']);
  }
  // What they become afterwards does not count for what they said before.
  await env.DB.prepare('update phone_numbers set proven_at = 1').run();
  await env.DB.prepare('update users set created_at = 1').run();
  const last = await newReporter({ isProven: false });
  await report(id, last);
  expect(await statusFor(id, stranger)).toBe(200);
  expect((await openCaseOf(id))?.reports).toHaveLength(6);
});

test('after a restore no number of reports hides it again, and they are listed', async () => {
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

test('a restore closes the reports of a post that was not hidden: what is said later hides nothing', async () => {
  const [author, stranger, admin] = [await newPerson(), await newPerson(), await newPlatformAdmin()];
  const { id } = await newPost(author);
  await report(id, await newReporter());
  await decide('restore', id, admin);
  expect(await openCaseOf(id)).toBeUndefined();
  expect(await toldTo(author)).toEqual([]);
  await reportThrice(id);
  expect(await statusFor(id, stranger)).toBe(200);
});

test('what cannot be reported, in this order', async () => {
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

test('five reports a day; a sixth is refused, and 409 comes before that', async () => {
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

test('of ten reports at once by one person one is kept, and by one key all have made it', async () => {
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
  // The key is that of this path alone.
  const other = await newPost(author);
  expect((await report(other.id, { ...careful, headers })).status).toBe(201);
});

test('three at once hide it once', async () => {
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

test('the age that a reporter needs is another one under the local transport alone', async () => {
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
