import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import { REPORT_OVERDUE_HOURS } from '#contract/limits.ts';
import type { LogEntry } from '#contract/moderation.ts';
import { openDb } from '#worker/db/client.ts';
import { tellAdmins } from '#worker/moderation/index.ts';
import { call, newPerson, newPost, type Person } from './support/api.ts';
import { communityCodeOf, join, newApprovedCommunity, newPlatformAdmin } from './support/communities.ts';
import { lostAndFound } from './support/live.ts';
import { decide, hidersOf, newReporter, report, reportThrice, toldTo } from './support/moderation.ts';

/** Nothing that was told, or withdrawn, is still on its way. */
async function expectAllDelivered(): Promise<void> {
  expect((await env.DB.prepare('select type from notices where delivered_at is null').all()).results).toEqual([]);
}

async function typesTold(person: Person): Promise<string[]> {
  return (await toldTo(person)).map(({ type }) => type);
}

async function actionsOn(targetId: string, admin: Person) {
  const entries = await (await call('GET', '/api/admin/log?limit=100', undefined, admin)).json<LogEntry[]>();
  return entries.filter(({ target_id }) => target_id === targetId).map(({ action, reason }) => [action, reason]);
}

async function newPlace() {
  const { community, creator, platformAdmin } = await newApprovedCommunity();
  const author = await newPerson();
  await join(community.access_code, author);
  const { id } = await newPost(author, { community_code: await communityCodeOf(community.id, creator) });
  const decideInside = (verb: 'hide' | 'restore', body?: unknown) =>
    call('POST', `/api/communities/${community.id}/posts/${id}/${verb}`, body, creator);
  return { creator, platformAdmin, author, id, decideInside };
}

test('what an author is told of a decision is delivered with it, whoever decides', async () => {
  const { creator, platformAdmin: admin, author, id, decideInside } = await newPlace();
  const told: string[] = [];
  const expectTold = async (answer: Promise<Response>, type: string) => {
    expect((await answer).status).toBe(204);
    told.unshift(type);
    expect(await typesTold(author)).toEqual(told);
    await expectAllDelivered();
  };
  await expectTold(decideInside('hide', { reason: 'Si la hapa' }), 'post_hidden');
  await expectTold(decideInside('restore'), 'post_restored');
  expect((await report(id, creator)).status).toBe(201);
  await expectTold(decide('hide', id, admin), 'post_hidden');
  await expectTold(decide('undo', id, admin), 'post_restored');
  await expectTold(decide('hide', id, admin), 'post_hidden');
  await expectTold(decide('restore', id, admin), 'post_restored');
  const stand = (verb: string) => call('POST', `/api/admin/users/${author.id}/${verb}`, { reason: 'Utapeli' }, admin);
  await expectTold(stand('suspend'), 'account_suspended');
  await expectTold(stand('reinstate'), 'account_reinstated');
  expect((await toldTo(author))[0]).toMatchObject({ reason: 'Utapeli' });
});

test.each([
  ['an admin', (id: string, admin: Person) => decide('hide', id, admin)],
  ['reports', (id: string) => reportThrice(id)],
] as const)('what others were told of a post is withdrawn at once when it is hidden by %s', async (_who, hide) => {
  const [loser, finder, admin] = [await newPerson(), await newPerson(), await newPlatformAdmin()];
  const { lost, found } = lostAndFound();
  await newPost(loser, lost);
  const { id } = await newPost(finder, found);
  expect(await typesTold(loser)).toEqual(['matching_post']);
  await hide(id, admin);
  expect(await typesTold(loser)).toEqual([]);
  await expectAllDelivered();
});

test('a post that was returned while it was hidden is matched with nothing when it is restored', async () => {
  const [loser, finder, admin] = [await newPerson(), await newPerson(), await newPlatformAdmin()];
  const { lost, found } = lostAndFound();
  const { id } = await newPost(finder, found);
  await decide('hide', id, admin);
  await newPost(loser, lost);
  await call('PATCH', `/api/posts/${id}/found`, undefined, finder);
  await decide('restore', id, admin);
  expect(await typesTold(loser)).toEqual([]);
  const pending = await env.DB.prepare('select match_pending_since from posts where id = ?').bind(id).first();
  expect(pending).toEqual({ match_pending_since: null });
});

test('an admin of a community who decides the same again tells nobody and writes nothing down', async () => {
  const { platformAdmin: admin, author, id, decideInside } = await newPlace();
  await decideInside('restore');
  expect([await typesTold(author), await actionsOn(id, admin)]).toEqual([[], []]);
  for (let time = 0; time < 2; time++) await decideInside('hide', { reason: 'Si la hapa' });
  expect(await toldTo(author)).toMatchObject([{ type: 'post_hidden', hidden_by: 'community', reason: 'Si la hapa' }]);
  await decide('hide', id, admin);
  // It is hidden all the same, so its author has nothing to hear of.
  await decideInside('restore', { reason: 'Tulikosea' });
  await decideInside('restore');
  expect(await hidersOf(id, author)).toEqual(['admin']);
  expect(await typesTold(author)).toEqual(['post_hidden', 'post_hidden']);
  expect(await actionsOn(id, admin)).toEqual([
    ['restore', 'Tulikosea'],
    ['hide', 'Ni utapeli'],
    ['hide', 'Si la hapa'],
  ]);
});

test('a post that its community hides comes before the admins once its author has changed it', async () => {
  const { author, id, decideInside } = await newPlace();
  const countCases = () =>
    env.DB.prepare("select count(*) as n from moderation_cases where post_id = ? and status = 'open'")
      .bind(id)
      .first('n');
  await decideInside('hide', { reason: 'Si la hapa' });
  expect(await countCases()).toBe(0);
  const { community_code, ...post } = await (await call('GET', `/api/posts/${id}`, undefined, author)).json<
    Record<string, unknown>
  >();
  await call('PUT', `/api/posts/${id}`, { ...post, title: 'Simu', community_code }, author);
  expect(await countCases()).toBe(1);
});

test('what is restored twice is written down once, and nobody is told of what was never hidden', async () => {
  const [author, admin] = [await newPerson(), await newPlatformAdmin()];
  const { id } = await newPost(author);
  for (let time = 0; time < 2; time++) expect((await decide('restore', id, admin)).status).toBe(204);
  expect(await actionsOn(id, admin)).toEqual([['restore', null]]);
  expect(await typesTold(author)).toEqual([]);
  await reportThrice(id);
  expect(await hidersOf(id, author)).toEqual([]);
});

test('why something is restored may be said, in JSON, or not at all', async () => {
  const [author, admin] = [await newPerson(), await newPlatformAdmin()];
  const { id } = await newPost(author);
  const restore = async (body: unknown) => {
    await decide('hide', id, admin);
    return (await call('POST', `/api/admin/posts/${id}/restore`, body, admin)).status;
  };
  expect(await restore('{')).toBe(400);
  expect(await restore({ reason: 'a'.repeat(5_001) })).toBe(422);
  expect(await hidersOf(id, author)).toEqual(['admin']);
  expect(await restore(' \n')).toBe(204);
  expect(await restore({ reason: 'Tulikosea' })).toBe(204);
  expect((await actionsOn(id, admin)).filter(([action]) => action === 'restore')).toEqual([
    ['restore', 'Tulikosea'],
    ['restore', null],
  ]);
});

test('once the admins have read of what waits they are told of the next, and nobody else is', async () => {
  await env.DB.prepare('delete from moderation_cases').run();
  const [author, reporter, admin] = [await newPerson(), await newReporter(), await newPlatformAdmin()];
  const told = async () => (await toldTo(admin)).filter(({ type }) => type === 'reports_waiting');
  const first = await newPost(author);
  await report(first.id, reporter);
  const [notice] = await told();
  expect(notice).toEqual({
    ...{ type: 'reports_waiting', id: expect.any(String), waiting: 1, is_overdue: false },
    created_at: expect.stringMatching(/Z$/),
  });
  await call('POST', '/api/notices/read', { ids: [notice?.id] }, admin);
  await report((await newPost(author)).id, reporter);
  expect(await told()).toMatchObject([{ waiting: 2, is_overdue: false }, { waiting: 1 }]);
  await expectAllDelivered();
  for (const person of [author, reporter]) expect(await typesTold(person)).toEqual([]);
});

test('a case is overdue after exactly two days, and one that is opened again is new', async () => {
  await env.DB.prepare('delete from moderation_cases').run();
  await env.DB.prepare('delete from notices').run();
  const [author, admin] = [await newPerson(), await newPlatformAdmin()];
  const { id } = await newPost(author);
  const told = async () =>
    (await toldTo(admin)).flatMap((message) => ('is_overdue' in message ? [message.is_overdue] : []));
  await report(id, await newReporter());
  const due = () => env.DB.prepare('select tell_due_at from moderation_cases').first<number>('tell_due_at');
  const [db, dueAt] = [openDb(env), (await due()) ?? 0];
  expect(dueAt - Date.now()).toBeGreaterThan(REPORT_OVERDUE_HOURS * HOUR_MS - 60_000);
  expect(dueAt - Date.now()).toBeLessThanOrEqual(REPORT_OVERDUE_HOURS * HOUR_MS);
  await tellAdmins(env, db, dueAt - 1);
  expect(await told()).toEqual([false]);
  await tellAdmins(env, db, dueAt);
  expect(await told()).toEqual([true, false]);
  expect(await due()).toBe(dueAt + REPORT_OVERDUE_HOURS * HOUR_MS);
  await report(id, await newReporter());
  expect(await due()).toBe(dueAt + REPORT_OVERDUE_HOURS * HOUR_MS);
  await decide('restore', id, admin);
  await env.DB.prepare('update notices set read_at = 1 where recipient_id = ?').bind(admin.id).run();
  await report(id, await newReporter());
  // The one of what was overdue is of the day after tomorrow, so it stays the first.
  expect(await told()).toEqual([true, false, false]);
});
