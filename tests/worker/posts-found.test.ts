import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { MINUTE_MS } from '#contract/durations.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { NoticeList } from '#contract/notices.ts';
import type { Post } from '#contract/posts.ts';
import { closeClaimsOf } from '#worker/claims/index.ts';
import { openDb } from '#worker/db/client.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { rememberUnread, reviseUnreadNotices } from '#worker/notices/store.ts';
import { endPost, undoFound } from '#worker/posts/end-store.ts';
import { call, newPerson, newPost, read } from './support/api.ts';
import { claimed, read as readClaim, take } from './support/claims.ts';
import { communityCodeOf, newApprovedCommunity } from './support/communities.ts';
import { connect, lostAndFound, newPeople, type Somebody, settled } from './support/live.ts';
import { envWithFailingMailboxes } from './support/mortal-env.ts';
import { noticesAbout, pairsOf, postAndMatch, sweepIn } from './support/saved-posts.ts';

/** A post that matches none of the phones in this file. */
const KEYS = { title: 'Funguo', description: '' };

function mark(author: { token: string }, postId: string): Promise<Response> {
  return call('PATCH', `/api/posts/${postId}/found`, undefined, author);
}

function undo(caller: { token: string; language?: string }, postId: string): Promise<Response> {
  return call('DELETE', `/api/posts/${postId}/found`, undefined, caller);
}

/** What the routes write, without what they do after their answer. */
function writeFound(author: { id: string }, id: string) {
  const db = openDb(env);
  const now = Date.now();
  const end = {
    remember: rememberUnread(db, sql`${id}`),
    withdraw: reviseUnreadNotices(db, sql`${id}`),
    claims: closeClaimsOf(db, sql`${id}`, now),
  };
  return endPost(db, { userId: author.id, tokenVersion: 1, sessionId: '' }, { id, outcome: 'returned', now }, end);
}

function writeUndone(author: { id: string }, id: string) {
  return undoFound(openDb(env), { userId: author.id, tokenVersion: 1, sessionId: '' }, id, Date.now());
}

/** Lets time pass for the post alone. */
async function letPass(postId: string, milliseconds: number): Promise<void> {
  await env.DB.prepare('update posts set found_at = found_at - ? where id = ?').bind(milliseconds, postId).run();
}

async function expectMatched(postId: string): Promise<void> {
  await expect
    .poll(() => env.DB.prepare('select match_pending_since as due from posts where id = ?').bind(postId).first())
    .toEqual({ due: null });
}

async function twoPeople(): Promise<[Somebody, Somebody]> {
  const [owner, finder] = await newPeople(2);
  if (!owner || !finder) throw new Error('nobody');
  return [owner, finder];
}

/** An owner who waited and was told of the finder's post. */
async function tellOfMatch() {
  const [owner, finder] = await twoPeople();
  const { lost, found } = lostAndFound();
  const mine = await postAndMatch(owner, lost);
  const other = await postAndMatch(finder, found);
  return { owner, finder, mine, other };
}

async function readMailbox(person: Somebody) {
  const live = await connect(person);
  await settled(live);
  live.socket.close();
  return live.messages;
}

async function listNotices(person: Somebody): Promise<NoticeList> {
  return (await call('GET', '/api/notices', undefined, person)).json<NoticeList>();
}

test('within ten minutes a marking is undone: the post is open, and matched with what came meanwhile', async () => {
  const [owner, finder] = await twoPeople();
  const { lost, found } = lostAndFound();
  const made = await newPost(owner, lost);
  expect((await mark(owner, made.id)).status).toBe(200);
  const meanwhile = await postAndMatch(finder, found);
  expect(await pairsOf(meanwhile)).toEqual([]);
  await letPass(made.id, 9 * MINUTE_MS);
  const answer = await undo(owner, made.id);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual(made);
  await expect.poll(() => pairsOf(meanwhile)).toMatchObject([{ is_current: 1 }]);
  const matches = await (await call('GET', `/api/posts/${made.id}/matches`, undefined, owner)).json();
  expect(matches).toMatchObject([{ Post: { id: meanwhile } }]);
});

test('after ten minutes it is too late, and the post stays found', async () => {
  const author = await newPerson();
  const { id } = await newPost(author, KEYS);
  await mark(author, id);
  await letPass(id, 10 * MINUTE_MS + 1);
  for (const [language, detail] of [
    ['en', 'This can no longer be undone: more than 10 minutes have passed.'],
    ['sw', 'Hili haliwezi tena kutenduliwa: zaidi ya dakika 10 zimepita.'],
  ] as const) {
    const answer = await undo({ ...author, language }, id);
    expect([answer.status, await answer.json<ErrorBody>()]).toEqual([409, { code: 'too_late', detail }]);
  }
  expect(await (await call('GET', `/api/posts/${id}`)).json<Post>()).toMatchObject({ is_found: true });
});

test('found_until says to the author alone until when a marking can be undone', async () => {
  const author = await newPerson();
  const { id } = await newPost(author, KEYS);
  const until = async (reader: { token?: string }) => (await read<Post>(`/api/posts/${id}`, reader)).found_until;
  expect(await until(author)).toBeNull();
  const marked = await (await mark(author, id)).json<Post>();
  expect(Date.parse(marked.found_until ?? '')).toBeGreaterThan(Date.now() + 9 * MINUTE_MS);
  expect(Date.parse(marked.found_until ?? '')).toBeLessThanOrEqual(Date.now() + 10 * MINUTE_MS);
  expect([await until(author), await until(await newPerson()), await until({})]).toEqual([
    marked.found_until,
    null,
    null,
  ]);
  expect((await (await undo(author, id)).json<Post>()).found_until).toBeNull();
  await mark(author, id);
  await letPass(id, 10 * MINUTE_MS + 1);
  expect(await until(author)).toBeNull();
});

test('found_until is null after a hand-over, which cannot be undone', async () => {
  const { finder, claimant, post, id } = await claimed();
  await take(id, 'accept', finder);
  await take(id, 'hand-over', finder, { code: (await readClaim(id, claimant)).handover_code });
  expect(await read<Post>(`/api/posts/${post.id}`, finder)).toMatchObject({ state: 'returned', found_until: null });
});

test('the ten minutes run from the first marking, and anew once it was undone', async () => {
  const author = await newPerson();
  const { id } = await newPost(author, KEYS);
  await mark(author, id);
  await letPass(id, 11 * MINUTE_MS);
  expect((await mark(author, id)).status).toBe(200);
  expect((await undo(author, id)).status).toBe(409);
  await env.DB.prepare('update posts set is_found = 0 where id = ?').bind(id).run();
  for (let turn = 0; turn < 2; turn++) {
    await mark(author, id);
    expect((await undo(author, id)).status).toBe(200);
  }
});

test('on an open post there is nothing to undo, which is no failure and tells nobody anything', async () => {
  const { owner, finder, mine, other } = await tellOfMatch();
  const before = await noticesAbout(mine);
  for (const [person, id] of [
    [owner, mine],
    [finder, other],
  ] as const) {
    const answer = await undo(person, id);
    expect(answer.status).toBe(200);
    expect(await answer.json<Post>()).toMatchObject({ id, is_found: false, is_mine: true });
  }
  expect(await noticesAbout(mine)).toEqual(before);
  const row = await env.DB.prepare('select match_pending_since from posts where id = ?').bind(mine).first();
  expect(row).toEqual({ match_pending_since: null });
});

test('nobody but the author undoes a marking', async () => {
  const { community, creator } = await newApprovedCommunity();
  const [author, stranger] = [await newPerson(), await newPerson()];
  const open = await newPost(author, KEYS);
  const hidden = await newPost(creator, { ...KEYS, community_code: await communityCodeOf(community.id, creator) });
  await mark(author, open.id);
  await mark(creator, hidden.id);
  const refusals = [
    await undo(stranger, open.id),
    await undo(stranger, hidden.id),
    await undo(stranger, 'hakuna'),
    await call('DELETE', `/api/posts/${open.id}/found`),
  ].map(async (answer) => [answer.status, (await answer.json<ErrorBody>()).code]);
  expect(await Promise.all(refusals)).toEqual([
    [403, 'forbidden'],
    [404, 'post_not_found'],
    [404, 'post_not_found'],
    [401, 'unauthorized'],
  ]);
  await env.DB.prepare('update users set token_version = 2 where id = ?').bind(author.id).run();
  expect((await undo(author, open.id)).status).toBe(401);
  expect(await (await call('GET', `/api/posts/${open.id}`)).json<Post>()).toMatchObject({ is_found: true });
});

test.each(['mine', 'other'] as const)(
  'who had not read of a match is told again, once, when the marking of %s is undone',
  async (which) => {
    const told = await tellOfMatch();
    const { owner, finder, mine, other } = told;
    const author = which === 'mine' ? owner : finder;
    const phone = await connect(owner);
    await settled(phone);
    await mark(author, told[which]);
    await expect.poll(() => noticesAbout(mine)).toEqual([]);
    expect(await readMailbox(owner)).toEqual([]);
    expect((await undo(author, told[which])).status).toBe(200);
    await expect.poll(() => phone.messages).toHaveLength(2);
    await sweepIn(5);
    expect(phone.messages[1]).toMatchObject({ type: 'matching_post', post_id: other, your_post_id: mine });
    expect(await noticesAbout(mine)).toMatchObject([{ recipient_id: owner.id, is_delivered: 1 }]);
    expect(await readMailbox(owner)).toHaveLength(1);
    expect(await listNotices(owner)).toMatchObject({ unread_count: 1, notices: [{ is_open: true, read_at: null }] });
    expect(await readMailbox(finder)).toEqual([]);
    phone.acknowledge(phone.messages[1]?.id ?? '');
    await settled(phone);
    expect(await readMailbox(owner)).toEqual([]);
  },
);

test('what was read, or dismissed, is not told again', async () => {
  for (const act of ['read', 'dismiss'] as const) {
    const { owner, finder, mine, other } = await tellOfMatch();
    const [notice] = await noticesAbout(mine);
    if (act === 'read') await call('POST', '/api/notices/read', { ids: [notice?.id] }, owner);
    else await call('POST', `/api/notices/${notice?.id}/dismiss`, undefined, owner);
    await expect.poll(() => readMailbox(owner)).toEqual([]);
    await mark(finder, other);
    expect((await undo(finder, other)).status).toBe(200);
    await expectMatched(other);
    await sweepIn(5);
    expect(await readMailbox(owner), act).toEqual([]);
    expect(await listNotices(owner), act).toMatchObject({ unread_count: 0 });
    expect(await noticesAbout(mine), act).toMatchObject([{ id: notice?.id }]);
  }
});

test('a notice read between the marking and its undoing is not told again', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { owner, finder, mine, other } = await tellOfMatch();
  const [notice] = await noticesAbout(mine);
  await writeFound(finder, other);
  await call('POST', '/api/notices/read', { ids: [notice?.id] }, owner);
  await undo(finder, other);
  await expectMatched(other);
  await sweepIn(5);
  expect(await noticesAbout(mine)).toMatchObject([{ id: notice?.id }]);
  expect(await listNotices(owner)).toMatchObject({ unread_count: 0, notices: [{ is_open: true }] });
});

test('two posts that were both found are told of once both are open again', async () => {
  const { owner, finder, mine, other } = await tellOfMatch();
  await mark(finder, other);
  await mark(owner, mine);
  await expect.poll(() => noticesAbout(mine)).toEqual([]);
  await undo(finder, other);
  await expectMatched(other);
  expect(await noticesAbout(mine)).toEqual([]);
  await undo(owner, mine);
  await expect.poll(() => noticesAbout(mine)).toMatchObject([{ recipient_id: owner.id, is_delivered: 1 }]);
  expect(await readMailbox(owner)).toMatchObject([{ post_id: other, your_post_id: mine }]);
});

test.each(['before', 'after'] as const)(
  'a withdrawal that is cut off %s the mailbox heard of it leaves one notice when the marking is undone',
  async (moment) => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { owner, finder, mine, other } = await tellOfMatch();
    expect(await readMailbox(owner)).toHaveLength(1);
    const db = openDb(env);
    const { noticeIds } = await writeFound(finder, other);
    await deliverNotices(
      envWithFailingMailboxes((when) => when === moment),
      db,
      noticeIds,
    );
    expect((await undo(finder, other)).status).toBe(200);
    await expectMatched(other);
    await sweepIn(5);
    expect(await readMailbox(owner)).toMatchObject([{ post_id: other, your_post_id: mine }]);
    expect(await listNotices(owner)).toMatchObject({ unread_count: 1, notices: [{ is_open: true }] });
    await sweepIn(60);
    expect(await noticesAbout(mine)).toMatchObject([{ is_delivered: 1 }]);
  },
);

test('an undoing whose Worker dies before the post is matched is finished by the sweep', async () => {
  const { owner, finder, mine, other } = await tellOfMatch();
  await mark(finder, other);
  await expect.poll(() => noticesAbout(mine)).toEqual([]);
  await writeUndone(finder, other);
  await sweepIn(1);
  expect(await readMailbox(owner)).toMatchObject([{ post_id: other, your_post_id: mine }]);
  await expectMatched(other);
});

test('marking and undoing at the same moment end in one of the two, with its notices right', async () => {
  const { owner, finder, mine, other } = await tellOfMatch();
  // Twenty markings may withdraw and make more notices than the three a day.
  await env.DB.exec("update rate_counters set count = -100 where subject like 'matching_notice:%'");
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([
      mark(finder, other),
      undo(finder, other),
      mark(finder, other),
      undo(finder, other),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  }
  await undo(finder, other);
  await expectMatched(other);
  await sweepIn(5);
  await sweepIn(20);
  expect(await pairsOf(other)).toHaveLength(1);
  expect(await noticesAbout(mine)).toMatchObject([{ recipient_id: owner.id, is_delivered: 1 }]);
  expect(await readMailbox(owner)).toMatchObject([{ post_id: other, your_post_id: mine }]);
});
