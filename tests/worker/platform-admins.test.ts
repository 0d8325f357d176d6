import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { PlatformAdmin } from '#contract/admin.ts';
import type { FeedbackEntry } from '#contract/feedback.ts';
import type { LogEntry } from '#contract/moderation.ts';
import { openDb } from '#worker/db/client.ts';
import { findJudged, hideForAdmins } from '#worker/moderation/decide-store.ts';
import type { JudgedPost } from '#worker/moderation/moderation-rules.ts';
import { call, newPerson, newPost, type Person, read } from './support/api.ts';
import { refusal } from './support/claims.ts';
import { newPlatformAdmin } from './support/communities.ts';
import { decide, statusFor } from './support/moderation.ts';

const revoke = (person: { id: string }, admin: Person) =>
  call('DELETE', `/api/admin/admins/${person.id}`, undefined, admin);
const suspend = (person: Person, admin: Person) =>
  call('POST', `/api/admin/users/${person.id}/suspend`, { reason: 'Akaunti imeibiwa' }, admin);
const reinstate = (person: Person, admin: Person) =>
  call('POST', `/api/admin/users/${person.id}/reinstate`, undefined, admin);
const logBy = (admin: Person, query = '') => read<LogEntry[]>(`/api/admin/log?limit=100${query}`, admin);

/** So that the test knows all admins. */
async function onlyAdmins(...admins: Person[]): Promise<void> {
  const ids = JSON.stringify(admins.map(({ id }) => id));
  await env.DB.prepare(
    `update users set is_platform_admin = id in (select value from json_each(?1)), platform_admin_since = 1000
     where is_platform_admin or id in (select value from json_each(?1))`,
  )
    .bind(ids)
    .run();
}

async function newAdmins(): Promise<[Person, Person]> {
  const admins = [await newPlatformAdmin(), await newPlatformAdmin()] as [Person, Person];
  await onlyAdmins(...admins);
  return admins;
}

test('an admin lists the admins, suspended ones included, with when they became one', async () => {
  const [admin, other] = await newAdmins();
  await suspend(other, admin);
  const { id, username, email } = admin;
  const listed = await read<PlatformAdmin[]>('/api/admin/admins', admin);
  expect(listed).toHaveLength(2);
  const granted_at = new Date(1000).toISOString();
  expect(listed).toContainEqual({ id, username, email, is_suspended: false, granted_at });
  expect(listed).toContainEqual(expect.objectContaining({ id: other.id, is_suspended: true }));
});

test('a revoked admin can do nothing as an admin any more, and a repeated revocation logs nothing', async () => {
  const [admin, other] = await newAdmins();
  expect((await revoke(other, admin)).status).toBe(204);
  expect((await revoke(other, admin)).status).toBe(204);
  expect((await revoke({ id: crypto.randomUUID() }, admin)).status).toBe(404);
  expect(await read('/api/me', other)).toMatchObject({ is_platform_admin: false });
  expect(await refusal(call('GET', '/api/admin/log', undefined, other))).toEqual([403, 'forbidden']);
  const entries = (await logBy(admin)).filter(({ target_id }) => target_id === other.id);
  expect(entries).toEqual([
    {
      id: expect.any(String),
      actor_id: admin.id,
      actor_name: admin.username,
      action: 'revoke_admin',
      target_type: 'user',
      target_id: other.id,
      target_name: other.username,
      reason: null,
      created_at: expect.any(String),
    },
  ]);
});

test('the last admin can be neither revoked, suspended nor erased, and a suspended one does not count', async () => {
  const [admin, other] = await newAdmins();
  await suspend(other, admin);
  const leave = () => call('DELETE', '/api/me', { current_password: admin.password }, admin);
  for (const attempt of [() => revoke(admin, admin), () => suspend(admin, admin), leave])
    expect(await refusal(attempt())).toEqual([409, 'last_admin']);
  expect((await revoke(other, admin)).status).toBe(204);
  expect(await refusal(revoke(admin, admin))).toEqual([409, 'last_admin']);
  expect((await logBy(admin)).filter(({ target_id }) => target_id === admin.id)).toEqual([]);
});

test('a suspended admin may leave, as the platform has another one', async () => {
  const [admin, other] = await newAdmins();
  await suspend(other, admin);
  const answer = await call('DELETE', '/api/me', { current_password: other.password }, other);
  expect(answer.status).toBe(204);
});

test('of two admins who revoke each other at once, one remains', async () => {
  for (let round = 0; round < 5; round++) {
    const [one, two] = await newAdmins();
    const answers = await Promise.all([revoke(two, one), revoke(one, two)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, expect.toBeOneOf([403, 409])]);
    const [row] = (await env.DB.prepare('select count(*) as count from users where is_platform_admin').all()).results;
    expect(row).toEqual({ count: 1 });
  }
});

test('an admin who suspends and one who revokes the other at once leave one who acts', async () => {
  for (let round = 0; round < 5; round++) {
    const [one, two] = await newAdmins();
    await Promise.all([revoke(two, one), suspend(one, two)]);
    const acting = env.DB.prepare(
      'select count(*) as count from users where is_platform_admin and suspended_at is null',
    );
    expect((await acting.all()).results).toEqual([{ count: 1 }]);
  }
});

test('a suspended admin is no admin, reading included, until reinstated', async () => {
  const [admin, other] = await newAdmins();
  const post = await newPost(await newPerson());
  await decide('hide', post.id, admin);
  expect(await statusFor(post.id, other)).toBe(200);
  await suspend(other, admin);
  expect(await statusFor(post.id, other)).toBe(404);
  expect(await read('/api/me', other)).toMatchObject({ is_platform_admin: false, is_suspended: true });
  for (const path of ['communities', 'reports', 'log', 'search?q=a', 'week', 'feedback', 'switches', 'admins'])
    expect(await refusal(call('GET', `/api/admin/${path}`, undefined, other))).toEqual([403, 'forbidden']);
  for (const path of [`users/${admin.id}`, `posts/${post.id}`])
    expect(await refusal(call('GET', `/api/admin/${path}`, undefined, other))).toEqual([403, 'forbidden']);
  expect(await refusal(call('GET', '/api/me/passkeys', undefined, other))).toEqual([403, 'forbidden']);
  expect(await refusal(decide('restore', post.id, other))).toEqual([403, 'forbidden']);
  expect(await refusal(reinstate(other, other))).toEqual([403, 'forbidden']);
  expect((await reinstate(other, admin)).status).toBe(204);
  expect((await call('GET', '/api/admin/log', undefined, other)).status).toBe(200);
  expect(await statusFor(post.id, other)).toBe(200);
});

test('a decision of an admin who is revoked after it was read is refused', async () => {
  const [admin, other] = await newAdmins();
  const [post, db] = [await newPost(await newPerson()), openDb(env)];
  const viewer = { userId: other.id, tokenVersion: 1, sessionId: crypto.randomUUID() };
  const judged = await findJudged(db, viewer, post.id);
  await revoke(other, admin);
  await expect(hideForAdmins(db, viewer, judged as JudgedPost, 'Tusi')).rejects.toMatchObject({ code: 'forbidden' });
  expect(await statusFor(post.id, await newPerson())).toBe(200);
});

test('feedback is listed by its state, and marked as done once', async () => {
  const [admin] = await newAdmins();
  await env.DB.prepare('delete from feedback').run();
  for (const message of ['Asante', 'Haifanyi kazi'])
    await call('POST', '/api/feedback', { email: 'asha@example.com', message });
  const list = (state?: string) =>
    read<FeedbackEntry[]>(`/api/admin/feedback${state === undefined ? '' : `?state=${state}`}`, admin);
  const [second, first] = await list();
  expect(second).toMatchObject({ message: 'Haifanyi kazi', done_at: null });
  for (let time = 0; time < 2; time++)
    expect((await call('POST', `/api/admin/feedback/${first?.id}/done`, undefined, admin)).status).toBe(204);
  expect((await list('open')).map(({ id }) => id)).toEqual([second?.id]);
  expect(await list('done')).toEqual([{ ...first, done_at: expect.any(String) }]);
  expect(await list()).toHaveLength(2);
  expect((await call('GET', '/api/admin/feedback?state=waiting', undefined, admin)).status).toBe(422);
  expect((await call('POST', `/api/admin/feedback/${crypto.randomUUID()}/done`, undefined, admin)).status).toBe(404);
  expect(await logBy(admin, '&target_type=feedback')).toMatchObject([
    { actor_id: admin.id, action: 'feedback_done', target_id: first?.id, target_name: 'asha@example.com' },
  ]);
});

test('the log is filtered by action, target and actor, and names what it is about', async () => {
  const [admin, other] = await newAdmins();
  const [author, post] = [await newPerson(), await newPost(await newPerson(), { title: 'Mwavuli mweusi' })];
  await decide('hide', post.id, admin);
  await decide('restore', post.id, other);
  await suspend(author, other);
  const actions = async (query: string) =>
    (await logBy(admin, query))
      .filter(({ actor_id }) => actor_id === admin.id || actor_id === other.id)
      .map(({ action }) => action);
  expect(await actions('')).toEqual(['suspend', 'restore', 'hide']);
  expect(await actions('&target_type=post')).toEqual(['restore', 'hide']);
  expect(await actions(`&actor_id=${other.id}`)).toEqual(['suspend', 'restore']);
  expect(await actions('&action=hide')).toEqual(['hide']);
  expect((await logBy(admin, `&action=hide&actor_id=${admin.id}`))[0]).toMatchObject({
    actor_name: admin.username,
    target_name: 'Mwavuli mweusi',
  });
  expect((await call('GET', '/api/admin/log?action=kill', undefined, admin)).status).toBe(422);
});
