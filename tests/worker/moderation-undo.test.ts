import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { DECISION_UNDO_SECONDS } from '#contract/limits.ts';
import type { LogEntry, ReportedPost } from '#contract/moderation.ts';
import type { PostMatch } from '#contract/posts.ts';
import { call, newPerson, newPost, type Person, somePost } from './support/api.ts';
import { refusal } from './support/claims.ts';
import { newPlatformAdmin } from './support/communities.ts';
import { lostAndFound } from './support/live.ts';
import { decide, hidersOf, newReporter, report, reportThrice, toldTo } from './support/moderation.ts';

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

/** A post that somebody has reported, which hides nothing yet. */
async function reported() {
  const [author, admin] = [await newPerson(), await newPlatformAdmin()];
  const { id } = await newPost(author);
  await report(id, await newReporter());
  return { author, admin, id };
}

test('what nobody had put before the admins cannot be undone, nor a second decision on the same', async () => {
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

test('it can be undone up to the last millisecond of its time', async () => {
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

test('a post that comes back to the admins is as its author had changed it, and is hidden for the same reason', async () => {
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

test('what an admin had hidden before stays hidden by them, whatever is undone', async () => {
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
  ['a person who is suspended still is', false, ['suspension']],
  ['a person who writes again is not', true, []],
] as const)('a post of %s hidden by the suspension once its restoration is undone', async (_who, isBack, hiders) => {
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

test('undone, a hidden post is matched at once, and one that is hidden again is no longer', async () => {
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
