import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import { DECISION_UNDO_SECONDS, REPORT_OVERDUE_HOURS } from '#contract/limits.ts';
import type { LogEntry, ReportedPost } from '#contract/moderation.ts';
import type { PostMatch } from '#contract/posts.ts';
import { call, newPerson, newPost, type Person, somePost } from '#tests/worker/support/api.ts';
import { refusal } from '#tests/worker/support/claims.ts';
import { communityCodeOf, join, newApprovedCommunity, newPlatformAdmin } from '#tests/worker/support/communities.ts';
import { decide, hidersOf, newReporter, report, reportThrice, toldTo } from '#tests/worker/support/moderation.ts';
import { lostAndFound } from '#tests/worker/support/notices.ts';
import { openDb } from '#worker/db/client.ts';
import { notifyAdmins } from '#worker/moderation/cases.ts';

test('unread notices about a post are withdrawn when it is hidden, and sent again when it is restored', async () => {
  const [loser, finder, admin] = [await newPerson(), await newPerson(), await newPlatformAdmin()];
  const { lost, found } = lostAndFound();
  const own = await newPost(loser, { ...lost, posted_by: 'owner' });
  const { id } = await newPost(finder, { ...found, posted_by: 'finder' });
  const matches = async () => (await call('GET', `/api/posts/${own.id}/matches`, undefined, loser)).json<unknown[]>();
  await expect.poll(async () => (await toldTo(loser)).length).toBe(1);
  await decide('hide', id, admin);
  await expect.poll(() => toldTo(loser)).toEqual([]);
  expect(await matches()).toEqual([]);
  const kept = async () =>
    env.DB.prepare('select count(*) as n from match_terms where post_seq = (select seq from posts where id = ?)')
      .bind(id)
      .first('n');
  expect(await kept()).toBe(0);
  await decide('restore', id, admin);
  await expect.poll(async () => (await toldTo(loser)).map(({ type }) => type)).toEqual(['matching_post']);
  expect(await matches()).toHaveLength(1);
  await expect.poll(kept).toBeGreaterThan(0);
});

test('a hidden post matches no new post; after its restoration it is matched with posts created while it was hidden', async () => {
  const [loser, finder, admin] = [await newPerson(), await newPerson(), await newPlatformAdmin()];
  const { lost, found } = lostAndFound();
  const { id } = await newPost(finder, { ...found, posted_by: 'finder' });
  await decide('hide', id, admin);
  const own = await newPost(loser, { ...lost, posted_by: 'owner' });
  const matches = async () => (await call('GET', `/api/posts/${own.id}/matches`, undefined, loser)).json<unknown[]>();
  expect(await matches()).toEqual([]);
  await decide('restore', id, admin);
  await expect.poll(async () => (await matches()).length).toBe(1);
});

describe('undoing a decision', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const TOO_LATE = [409, 'too_late'];

  async function caseOf(postId: string, admin: Person): Promise<ReportedPost | undefined> {
    const answer = await call('GET', '/api/admin/reports?limit=100', undefined, admin);
    return (await answer.json<ReportedPost[]>()).find(({ post }) => post.id === postId);
  }

  async function actionsOn(postId: string, admin: Person): Promise<string[]> {
    const entries = await (await call('GET', '/api/admin/log?limit=100', undefined, admin)).json<LogEntry[]>();
    return entries.filter(({ target_id }) => target_id === postId).map(({ action }) => action);
  }

  /** A post with one report, which does not hide it yet. */
  async function reported() {
    const [author, admin] = [await newPerson(), await newPlatformAdmin()];
    const { id } = await newPost(author);
    await report(id, await newReporter());
    return { author, admin, id };
  }

  test('is not possible if the post has no reports, or after a second decision on the same case', async () => {
    const [author, admin] = [await newPerson(), await newPlatformAdmin()];
    const { id } = await newPost(author);
    expect(await refusal(decide('undo', id, admin))).toEqual(TOO_LATE);
    await decide('hide', id, admin);
    expect(await refusal(decide('undo', id, admin))).toEqual(TOO_LATE);
    expect(await hidersOf(id, author)).toEqual(['admin']);
    const second = await reported();
    await decide('hide', second.id, admin);
    await decide('restore', second.id, admin);
    expect(await refusal(decide('undo', second.id, admin))).toEqual(TOO_LATE);
    expect(await actionsOn(second.id, admin)).toEqual(['restore', 'hide']);
  });

  test('is possible up to the last millisecond of the ten minutes after the decision', async () => {
    const { author, admin, id } = await reported();
    const last = Date.now() + DECISION_UNDO_SECONDS * 1_000;
    await decide('hide', id, admin);
    const setDecidedAt = (at: number) =>
      env.DB.prepare('update moderation_cases set since = ? where post_id = ?').bind(at, id).run();
    vi.useFakeTimers({ toFake: ['Date'], now: last });
    await setDecidedAt(last - DECISION_UNDO_SECONDS * 1_000 - 1);
    expect(await refusal(decide('undo', id, admin))).toEqual(TOO_LATE);
    await setDecidedAt(last - DECISION_UNDO_SECONDS * 1_000);
    expect((await decide('undo', id, admin)).status).toBe(204);
    expect(await hidersOf(id, author)).toEqual([]);
    expect((await toldTo(author)).map(({ type }) => type)).toEqual(['post_restored', 'post_hidden']);
    expect(await actionsOn(id, admin)).toEqual(['undo', 'hide']);
  });

  test('that restored a post hides the post again for the earlier reason, and reopens the case', async () => {
    const [author, admin] = [await newPerson(), await newPlatformAdmin()];
    const { id } = await newPost(author);
    await reportThrice(id);
    await call('PUT', `/api/posts/${id}`, { ...somePost, title: 'Simu' }, author);
    const before = await caseOf(id, admin);
    expect(before).toMatchObject({ is_edited: true, decision: null, decided_at: null });
    await decide('restore', id, admin);
    expect((await decide('undo', id, admin)).status).toBe(204);
    expect(await caseOf(id, admin)).toEqual(before);
    const [told] = await toldTo(author);
    expect(told).toMatchObject({ type: 'post_hidden', title: 'Simu', hidden_by: 'reports', reason: 'scam' });
  });

  test('keeps the post hidden if an earlier decision had also hidden it', async () => {
    const { author, admin, id } = await reported();
    await decide('hide', id, admin);
    await call('PUT', `/api/posts/${id}`, { ...somePost, title: 'Simu' }, author);
    await decide('hide', id, admin);
    expect((await decide('undo', id, admin)).status).toBe(204);
    expect(await hidersOf(id, author)).toEqual(['admin']);
    expect(await caseOf(id, admin)).toMatchObject({ is_edited: true, status: 'open', decision: null });
    expect((await toldTo(author)).map(({ type }) => type)).toEqual(['post_hidden', 'post_hidden']);
  });

  test.each([
    ['hides the post again if the author is still suspended', false, ['suspension']],
    ['leaves the post visible if the author was reinstated', true, []],
  ] as const)('that restored a suspended author’s post %s', async (_who, isBack, hiders) => {
    const { author, admin, id } = await reported();
    await call('POST', `/api/admin/users/${author.id}/suspend`, { reason: 'Utapeli' }, admin);
    await decide('restore', id, admin);
    expect(await hidersOf(id, author)).toEqual([]);
    if (isBack) await call('POST', `/api/admin/users/${author.id}/reinstate`, undefined, admin);
    const told = (await toldTo(author)).length;
    expect((await decide('undo', id, admin)).status).toBe(204);
    expect(await hidersOf(id, author)).toEqual(hiders);
    expect(await toldTo(author)).toHaveLength(told + (isBack ? 0 : 1));
    expect(await caseOf(id, admin)).toMatchObject({ status: 'open' });
  });

  test('that restored a post removes the post’s matches and the notices about these matches', async () => {
    const [loser, finder, admin] = [await newPerson(), await newPerson(), await newPlatformAdmin()];
    const { lost, found } = lostAndFound();
    const own = await newPost(loser, lost);
    const { id } = await newPost(finder, found);
    const isMatched = async () => {
      const answer = await call('GET', `/api/posts/${own.id}/matches`, undefined, loser);
      return (await answer.json<PostMatch[]>()).some(({ Post }) => Post.id === id);
    };
    await reportThrice(id);
    expect([await isMatched(), await toldTo(loser)]).toEqual([false, []]);
    await decide('restore', id, admin);
    expect([await isMatched(), (await toldTo(loser)).length]).toEqual([true, 1]);
    await decide('undo', id, admin);
    expect([await isMatched(), await toldTo(loser)]).toEqual([false, []]);
    const { results } = await env.DB.prepare('select id from notices where delivered_at is null').all();
    expect(results).toEqual([]);
  });
});

/** Checks that all notices, and all withdrawals of notices, have been delivered. */
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

test('the author of a post is notified immediately of any moderation decision on the post', async () => {
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
] as const)('unread notices about a post are withdrawn as soon as the post is hidden by %s', async (_who, hide) => {
  const [loser, finder, admin] = [await newPerson(), await newPerson(), await newPlatformAdmin()];
  const { lost, found } = lostAndFound();
  await newPost(loser, lost);
  const { id } = await newPost(finder, found);
  expect(await typesTold(loser)).toEqual(['matching_post']);
  await hide(id, admin);
  expect(await typesTold(loser)).toEqual([]);
  await expectAllDelivered();
});

test('a post returned while it was hidden matches nothing after its restoration', async () => {
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

test('if a community admin repeats the last decision on a post, nobody is notified and nothing is logged', async () => {
  const { platformAdmin: admin, author, id, decideInside } = await newPlace();
  await decideInside('restore');
  expect([await typesTold(author), await actionsOn(id, admin)]).toEqual([[], []]);
  for (let time = 0; time < 2; time++) await decideInside('hide', { reason: 'Si la hapa' });
  expect(await toldTo(author)).toMatchObject([{ type: 'post_hidden', hidden_by: 'community', reason: 'Si la hapa' }]);
  await decide('hide', id, admin);
  // The platform admin has also hidden the post. It stays hidden, so this restoration does not notify its author.
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

test('if a community restores a suspended author’s post, the author gets no notice: the suspension still hides the post', async () => {
  const { platformAdmin: admin, author, id, decideInside } = await newPlace();
  await decideInside('hide', { reason: 'Si la hapa' });
  await call('POST', `/api/admin/users/${author.id}/suspend`, { reason: 'Utapeli' }, admin);
  expect((await decideInside('restore')).status).toBe(204);
  expect(await hidersOf(id, author)).toEqual(['suspension']);
  expect(await typesTold(author)).toEqual(['account_suspended', 'post_hidden']);
});

test('a post hidden by its community enters the platform admins’ queue when its author edits the post', async () => {
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

test('restoring a post that was never hidden notifies nobody, and repeating the request adds no second log entry', async () => {
  const [author, admin] = [await newPerson(), await newPlatformAdmin()];
  const { id } = await newPost(author);
  for (let time = 0; time < 2; time++) expect((await decide('restore', id, admin)).status).toBe(204);
  expect(await actionsOn(id, admin)).toEqual([['restore', null]]);
  expect(await typesTold(author)).toEqual([]);
  await reportThrice(id);
  expect(await hidersOf(id, author)).toEqual([]);
});

test('the reason for restoring a post may be omitted, but a reason that is too long is refused', async () => {
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

test('admins who have read a notice of waiting cases are notified again when the next case arrives', async () => {
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

test('admins are notified that a case is overdue as soon as the case has been open for two days', async () => {
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
  await notifyAdmins(env, db, dueAt - 1);
  expect(await told()).toEqual([false]);
  await notifyAdmins(env, db, dueAt);
  expect(await told()).toEqual([true, false]);
  expect(await due()).toBe(dueAt + REPORT_OVERDUE_HOURS * HOUR_MS);
  await report(id, await newReporter());
  expect(await due()).toBe(dueAt + REPORT_OVERDUE_HOURS * HOUR_MS);
  await decide('restore', id, admin);
  await env.DB.prepare('update notices set read_at = 1 where recipient_id = ?').bind(admin.id).run();
  await report(id, await newReporter());
  // The notice about the overdue case is two days newer than the others, so it is the first in the list.
  expect(await told()).toEqual([true, false, false]);
});
