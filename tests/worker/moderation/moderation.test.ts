import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import { REPORT_OVERDUE_HOURS } from '#contract/limits.ts';
import type { LogEntry, ReportedPost } from '#contract/moderation.ts';
import { call, newPerson, newPost, type Person, read, somePost } from '#tests/worker/support/api.ts';
import { communityCodeOf, join, newApprovedCommunity, newPlatformAdmin } from '#tests/worker/support/communities.ts';
import {
  decide,
  hidersOf,
  newReporter,
  report,
  reportThrice,
  statusFor,
  toldTo,
} from '#tests/worker/support/moderation.ts';
import { insertPhoto, picture, sendPhoto } from '#tests/worker/support/posts.ts';
import { openDb } from '#worker/db/client.ts';
import { notifyAdmins } from '#worker/moderation/cases.ts';

async function casesOf(status: string, admin: Person): Promise<ReportedPost[]> {
  return (await call('GET', `/api/admin/reports?status=${status}&limit=100`, undefined, admin)).json();
}

function callPhoto(method: string, postId: string, author: Person, photoId: string, body?: object) {
  return call(method, `/api/posts/${postId}/photos/${photoId}`, body, author);
}

function changePhoto(postId: string, author: Person, photoId: string, change: object) {
  return callPhoto('PATCH', postId, author, photoId, change);
}

async function logOf(targetId: string, admin: Person): Promise<string[]> {
  const entries = await (await call('GET', '/api/admin/log?limit=100', undefined, admin)).json<LogEntry[]>();
  return entries
    .filter(({ target_id }) => target_id === targetId)
    .map(({ actor_id, action, reason }) => `${actor_id === admin.id ? 'admin' : actor_id} ${action} ${reason}`);
}

/** A community with a member's post, for tests of community admins and platform admins. */
async function newPlace() {
  const { community, creator, platformAdmin } = await newApprovedCommunity();
  const [author, member] = [await newPerson(), await newPerson()];
  for (const person of [author, member]) await join(community.access_code, person);
  const post = await newPost(author, { community_code: await communityCodeOf(community.id, creator) });
  const decideInside = (verb: 'hide' | 'restore', postId: string, person: { token?: string }) =>
    call(
      'POST',
      `/api/communities/${community.id}/posts/${postId}/${verb}`,
      verb === 'hide' ? { reason: 'Si la hapa' } : undefined,
      person,
    );
  return { community, creator, platformAdmin, author, member, post, decideInside };
}

test('an admin hides a post with a reason that its author reads, and restores the post', async () => {
  const [author, admin, stranger] = [await newPerson(), await newPlatformAdmin(), await newPerson()];
  const { id, title } = await newPost(author);
  expect((await decide('hide', id, admin)).status).toBe(204);
  expect(await statusFor(id, stranger)).toBe(404);
  expect(await (await call('GET', `/api/posts/${id}`, undefined, admin)).json()).toMatchObject({
    is_hidden: true,
    hidden_by: ['admin'],
    hidden_reason: 'Ni utapeli',
  });
  expect((await decide('restore', id, admin)).status).toBe(204);
  expect(await (await call('GET', `/api/posts/${id}`, undefined, stranger)).json()).toMatchObject({
    is_hidden: false,
    hidden_by: [],
    hidden_reason: null,
  });
  expect(await toldTo(author)).toEqual([
    expect.objectContaining({ type: 'post_restored', post_id: id, title, hidden_by: null, reason: null }),
    expect.objectContaining({ type: 'post_hidden', hidden_by: 'admin', reason: 'Ni utapeli' }),
  ]);
  expect(await logOf(id, admin)).toEqual(['admin restore null', 'admin hide Ni utapeli']);
});

test('only admins can hide and restore posts; only platform admins can read the queue of reported posts and the moderation log', async () => {
  const { author, member, creator, post, platformAdmin, decideInside } = await newPlace();
  const bad = await call('POST', `/api/admin/posts/${post.id}/hide`, { reason: '' }, platformAdmin);
  expect(bad.status).toBe(422);
  for (const person of [author, member, creator]) {
    for (const verb of ['hide', 'restore', 'undo'] as const)
      expect((await decide(verb, post.id, person)).status).toBe(403);
    for (const path of ['reports', 'log'])
      expect((await call('GET', `/api/admin/${path}`, undefined, person)).status).toBe(403);
  }
  expect((await decide('hide', 'hakuna', platformAdmin)).status).toBe(404);
  const elsewhere = await newPost(creator);
  for (const verb of ['hide', 'restore'] as const) {
    expect((await decideInside(verb, post.id, member)).status).toBe(403);
    expect((await decideInside(verb, post.id, author)).status).toBe(403);
    expect((await decideInside(verb, post.id, await newPerson())).status).toBe(404);
    expect((await decideInside(verb, elsewhere.id, creator)).status).toBe(404);
    expect((await decideInside(verb, post.id, {})).status).toBe(401);
  }
});

test('a community admin’s restore removes only “community” from a post’s hidden_by; a platform admin’s restore empties it', async () => {
  const { creator, platformAdmin, author, member, post, decideInside } = await newPlace();
  // The reporters join the community, because only members can report its posts.
  const reporters = await Promise.all([newReporter(), newReporter(), newReporter()]);
  await env.DB.batch(
    reporters.map(({ id }) =>
      env.DB.prepare(
        `insert into memberships (community_id, user_id, role, joined_at)
         select community_id, ?, 'member', 1 from posts where id = ?`,
      ).bind(id, post.id),
    ),
  );
  for (const reporter of reporters) expect((await report(post.id, reporter)).status).toBe(201);
  await decideInside('hide', post.id, creator);
  await env.DB.prepare('update posts set hidden_by = hidden_by | 8 where id = ?').bind(post.id).run();
  expect(await hidersOf(post.id, author)).toEqual(['reports', 'community', 'suspension']);
  expect(await hidersOf(post.id, creator)).toEqual(['reports', 'community', 'suspension']);
  expect(await hidersOf(post.id, platformAdmin)).toEqual(['reports', 'community', 'suspension']);
  expect(await statusFor(post.id, member)).toBe(404);
  await decideInside('restore', post.id, creator);
  expect(await hidersOf(post.id, author)).toEqual(['reports', 'suspension']);
  await decideInside('hide', post.id, creator);
  await decide('hide', post.id, platformAdmin);
  expect(await hidersOf(post.id, author)).toEqual(['reports', 'community', 'admin', 'suspension']);
  await decide('restore', post.id, platformAdmin);
  expect(await statusFor(post.id, member)).toBe(200);
  const restored = (await toldTo(author)).filter(({ type }) => type === 'post_restored');
  expect(restored).toHaveLength(1);
});

test('if two admins hide a post concurrently, the author is notified once and one decision is logged', async () => {
  const [author, first, second] = [await newPerson(), await newPlatformAdmin(), await newPlatformAdmin()];
  const { id } = await newPost(author);
  await report(id, await newReporter());
  const answers = await Promise.all([first, second].map((admin) => decide('hide', id, admin)));
  expect(answers.map(({ status }) => status)).toEqual([204, 204]);
  expect(await toldTo(author)).toHaveLength(1);
  expect((await logOf(id, first)).length).toBe(1);
  expect((await casesOf('decided', first)).filter(({ post }) => post.id === id)).toHaveLength(1);
});

test('after a concurrent hiding and restoration, the post’s state is that of the decision logged last', async () => {
  const [author, first, second] = [await newPerson(), await newPlatformAdmin(), await newPlatformAdmin()];
  const { id } = await newPost(author);
  await reportThrice(id);
  await Promise.all([decide('hide', id, first), decide('restore', id, second)]);
  const { results } = await env.DB.prepare(
    'select action from moderation_log where target_id = ? and actor_id is not null order by rowid',
  )
    .bind(id)
    .all<{ action: string }>();
  const hiders = await hidersOf(id, author);
  expect(hiders).toEqual(results.at(-1)?.action === 'restore' ? [] : expect.arrayContaining(['admin']));
});

test('an admin can undo a decision on a post for ten minutes, and the undo restores the case’s earlier state', async () => {
  const [author, admin] = [await newPerson(), await newPlatformAdmin()];
  const { id } = await newPost(author);
  await reportThrice(id);
  const before = (await casesOf('open', admin)).find(({ post }) => post.id === id);
  await decide('restore', id, admin);
  expect(await hidersOf(id, author)).toEqual([]);
  expect((await decide('undo', id, admin)).status).toBe(204);
  expect((await casesOf('open', admin)).find(({ post }) => post.id === id)).toEqual(before);
  await decide('hide', id, admin);
  expect(await hidersOf(id, author)).toEqual(['reports', 'admin']);
  await decide('undo', id, admin);
  expect(await hidersOf(id, author)).toEqual(['reports']);
  expect((await casesOf('open', admin)).find(({ post }) => post.id === id)?.reports).toHaveLength(3);
  expect((await toldTo(author)).map(({ type }) => type)).toEqual([
    'post_hidden',
    'post_hidden',
    'post_restored',
    'post_hidden',
  ]);
  // The restore was undone, so the reports hide the post again.
  const cleared = await env.DB.prepare('select is_cleared from moderation_cases where post_id = ?').bind(id).first();
  expect(cleared).toEqual({ is_cleared: 0 });
  await decide('restore', id, admin);
  await env.DB.prepare('update moderation_cases set since = since - 601000 where post_id = ?').bind(id).run();
  expect((await decide('undo', id, admin)).status).toBe(409);
  expect(await hidersOf(id, author)).toEqual([]);
});

test('only one of two concurrent undos of an admin’s decision succeeds', async () => {
  const [author, admin] = [await newPerson(), await newPlatformAdmin()];
  const { id } = await newPost(author);
  await report(id, await newReporter());
  await decide('hide', id, admin);
  const answers = await Promise.all([decide('undo', id, admin), decide('undo', id, admin)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  expect(await hidersOf(id, author)).toEqual([]);
});

test('an author’s edit of a hidden post puts the post into the admins’ queue again', async () => {
  const [author, admin] = [await newPerson(), await newPlatformAdmin()];
  const { id } = await newPost(author);
  await decide('hide', id, admin);
  expect((await casesOf('open', admin)).some(({ post }) => post.id === id)).toBe(false);
  const input = { ...somePost, title: 'Simu, bila namba ya kitambulisho' };
  const changed = await call('PUT', `/api/posts/${id}`, input, author);
  expect([changed.status, await changed.json()]).toMatchObject([200, { title: input.title, is_hidden: true }]);
  expect((await casesOf('open', admin)).find(({ post }) => post.id === id)).toMatchObject({
    is_edited: true,
    post: { title: input.title, hidden_by: ['admin'] },
  });
  await decide('restore', id, admin);
  await call('PUT', `/api/posts/${id}`, input, author);
  expect((await casesOf('open', admin)).some(({ post }) => post.id === id)).toBe(false);
});

test('if the author edits a post hidden by reports, the post’s case in the admins’ queue is marked as edited', async () => {
  const [author, admin] = [await newPerson(), await newPlatformAdmin()];
  const { id } = await newPost(author);
  await reportThrice(id);
  const caseOf = async () => (await casesOf('open', admin)).find(({ post }) => post.id === id);
  expect(await caseOf()).toMatchObject({ is_edited: false, post: { hidden_by: ['reports'] } });
  await call('PUT', `/api/posts/${id}`, { ...somePost, title: 'Simu' }, author);
  expect(await caseOf()).toMatchObject({ is_edited: true, post: { title: 'Simu', hidden_by: ['reports'] } });
});

test.each([
  ['adds', (postId: string, author: Person) => sendPhoto(postId, author, picture('grey.jpg')), 201],
  [
    'describes',
    (postId: string, author: Person, id: string) => changePhoto(postId, author, id, { alt: 'Upande' }),
    200,
  ],
  ['deletes', (postId: string, author: Person, id: string) => callPhoto('DELETE', postId, author, id), 204],
] as const)(
  'an author who %s a photo of a hidden post puts the post into the admins’ queue again',
  async (_name, change, status) => {
    const [author, admin] = [await newPerson(), await newPlatformAdmin()];
    const { id } = await newPost(author);
    const photoId = await insertPhoto(id, author);
    const caseOf = async () => (await casesOf('open', admin)).find(({ post }) => post.id === id);
    await decide('hide', id, admin);
    expect((await changePhoto(id, author, photoId, { position: 3 })).status).toBe(422);
    expect((await sendPhoto(id, author, new Uint8Array())).status).toBe(422);
    expect(await caseOf()).toBeUndefined();
    expect((await change(id, author, photoId)).status).toBe(status);
    expect(await caseOf()).toMatchObject({ is_edited: true });
    await expect.poll(async () => (await toldTo(admin)).map(({ type }) => type)).toContain('reports_waiting');
    await decide('restore', id, admin);
    await sendPhoto(id, author, picture('grey.jpg'));
    expect(await caseOf()).toBeUndefined();
  },
);

test('the admins’ queue of reported posts is split into pages, and starts with the post that has waited longest', async () => {
  const [author, reporter, admin] = [await newPerson(), await newReporter(), await newPlatformAdmin()];
  await env.DB.prepare('delete from moderation_cases').run();
  const ids = [];
  for (let count = 0; count < 3; count++) {
    const { id } = await newPost(author);
    await report(id, reporter);
    ids.push(id);
  }
  const page = async (path: string) => {
    const answer = await call('GET', path, undefined, admin);
    const next = /<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1];
    return { ids: (await answer.json<ReportedPost[]>()).map(({ post }) => post.id), next };
  };
  const first = await page('/api/admin/reports?limit=2');
  expect(first.ids).toEqual(ids.slice(0, 2));
  expect(await page(first.next ?? '')).toEqual({ ids: ids.slice(2), next: undefined });
  for (const id of ids) await decide('restore', id, admin);
  const decided = await page('/api/admin/reports?status=decided&limit=2');
  expect(decided.ids).toEqual(ids.toReversed().slice(0, 2));
  expect((await page(decided.next ?? '')).ids).toEqual(ids.slice(0, 1));
  expect((await call('GET', '/api/admin/reports?status=x', undefined, admin)).status).toBe(422);
});

test('an admin with an unread notice of waiting cases gets a second notice only after a case is overdue', async () => {
  await env.DB.prepare('delete from moderation_cases').run();
  const [author, reporter, admin] = [await newPerson(), await newReporter(), await newPlatformAdmin()];
  const told = async () => (await toldTo(admin)).filter(({ type }) => type === 'reports_waiting');
  await report((await newPost(author)).id, reporter);
  await expect.poll(told).toMatchObject([{ waiting: 1, is_overdue: false }]);
  await report((await newPost(author)).id, reporter);
  const [db, now] = [openDb(env), Date.now()];
  await Promise.all([notifyAdmins(env, db, now), notifyAdmins(env, db, now)]);
  expect(await told()).toHaveLength(1);
  await notifyAdmins(env, db, now + (REPORT_OVERDUE_HOURS - 1) * HOUR_MS);
  expect(await told()).toHaveLength(1);
  const late = now + (REPORT_OVERDUE_HOURS + 1) * HOUR_MS;
  await Promise.all([notifyAdmins(env, db, late), notifyAdmins(env, db, late)]);
  expect(await told()).toMatchObject([{ waiting: 2, is_overdue: true }, { waiting: 1 }]);
  await notifyAdmins(env, db, late + HOUR_MS);
  expect(await told()).toHaveLength(2);
  await env.DB.prepare("update moderation_cases set status = 'decided'").run();
  await notifyAdmins(env, db, late + 100 * HOUR_MS);
  expect(await told()).toHaveLength(2);
});

test('the rows of the moderation log cannot be changed or deleted', async () => {
  const [author, admin] = [await newPerson(), await newPlatformAdmin()];
  const { id } = await newPost(author);
  await decide('hide', id, admin);
  for (const change of [
    "update moderation_log set reason = 'Sivyo'",
    `update moderation_log set actor_id = '${author.id}'`,
    'delete from moderation_log',
  ])
    await expect(env.DB.prepare(`${change} where target_id = '${id}'`).run()).rejects.toThrow('only added to');
  expect(await logOf(id, admin)).toEqual(['admin hide Ni utapeli']);
});

test('deleting a post decides its open case as post_deleted, and closes the case’s reports', async () => {
  const [author, reporter, admin] = [await newPerson(), await newReporter(), await newPlatformAdmin()];
  const { id } = await newPost(author);
  await report(id, reporter);
  await call('DELETE', `/api/posts/${id}`, undefined, author);
  expect((await casesOf('open', admin)).some(({ post }) => post.id === id)).toBe(false);
  const decided = (await casesOf('decided', admin)).filter(({ post }) => post.id === id);
  expect(decided).toMatchObject([
    {
      status: 'decided',
      post: { id },
      author: { id: author.id },
      reports: [{ reason: 'scam', reporter_id: reporter.id }],
      decision: 'post_deleted',
      decided_at: expect.any(String),
    },
  ]);
  expect(Object.keys(decided[0]?.post ?? {})).toEqual(['id']);
  const open = env.DB.prepare('select id from post_reports where post_id = ? and closed_at is null').bind(id);
  expect((await open.all()).results).toEqual([]);
  const [entry] = await read<LogEntry[]>('/api/admin/log?limit=1', admin);
  expect(entry).toMatchObject({ actor_id: null, action: 'post_deleted', target_type: 'post', target_id: id });
});

test('deleting a post also deletes its decided case, and adds no entry to the moderation log', async () => {
  const [author, admin] = [await newPerson(), await newPlatformAdmin()];
  const { id } = await newPost(author);
  await decide('hide', id, admin);
  await call('DELETE', `/api/posts/${id}`, undefined, author);
  expect((await casesOf('decided', admin)).some(({ post }) => post.id === id)).toBe(false);
  const logged = await read<LogEntry[]>('/api/admin/log?limit=100&target_type=post', admin);
  expect(logged.filter(({ target_id }) => target_id === id).map(({ action }) => action)).toEqual(['hide']);
});
