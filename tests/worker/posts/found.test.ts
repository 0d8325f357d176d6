import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { MINUTE_MS } from '#contract/durations.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { NoticeList } from '#contract/notices.ts';
import type { Post, PostMatch } from '#contract/posts.ts';
import { call, newPerson, newPost, type Person, read, somePost } from '#tests/worker/support/api.ts';
import { claimed, read as readClaim, take } from '#tests/worker/support/claims.ts';
import { communityCodeOf, join, newApprovedCommunity } from '#tests/worker/support/communities.ts';
import { envWithFailingMailboxes } from '#tests/worker/support/mortal-env.ts';
import { connect, lostAndFound, newPeople, type Somebody, settled } from '#tests/worker/support/notices.ts';
import { noticesAbout, pairsOf, postAndMatch, sweepIn } from '#tests/worker/support/posts.ts';
import { openDb } from '#worker/db/client.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { writeEnd, writeUndo } from '#worker/posts/end-post.ts';

/** A post about keys, which matches none of the posts about phones in this file. */
const KEYS = { title: 'Funguo', description: '' };

function mark(author: { token: string }, postId: string): Promise<Response> {
  return call('PATCH', `/api/posts/${postId}/found`, undefined, author);
}

function undo(caller: { token: string; language?: string }, postId: string): Promise<Response> {
  return call('DELETE', `/api/posts/${postId}/found`, undefined, caller);
}

/** Like `writeUndone`, writes the same rows as its route, but delivers no notices and matches no post. */
function writeFound(author: { id: string }, id: string) {
  const viewer = { userId: author.id, tokenVersion: 1, sessionId: '' };
  return writeEnd(openDb(env), viewer, { id, outcome: 'returned', now: Date.now() });
}

function writeUndone(author: { id: string }, id: string) {
  return writeUndo(openDb(env), { userId: author.id, tokenVersion: 1, sessionId: '' }, id, Date.now());
}

/** Moves this post's `found_at` into the past, as if the time had passed. */
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

/** Creates an owner's post and a newer matching post by a finder, of which the owner is notified. */
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

test('marking a post as found can be undone within ten minutes: the post is open and matched again', async () => {
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

test('the mark “found” on a post cannot be undone after ten minutes', async () => {
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

test('only the author sees found_until, the time until which marking the post as found can be undone', async () => {
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

test('a hand-over cannot be undone: found_until, the time until which an undo is possible, is null', async () => {
  const { finder, claimant, post, id } = await claimed();
  await take(id, 'accept', finder);
  await take(id, 'hand-over', finder, { code: (await readClaim(id, claimant)).handover_code });
  expect(await read<Post>(`/api/posts/${post.id}`, finder)).toMatchObject({ state: 'returned', found_until: null });
});

test('marking a post as found a second time does not extend the ten minutes in which the first mark can be undone', async () => {
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

test('undoing the mark “found” on a post that is already open succeeds, and notifies nobody', async () => {
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

test('only the author can undo marking a post as found', async () => {
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
  'undoing the mark “found” sends the owner’s unread match notice again (marked: %s; mine = the owner’s post, other = the finder’s)',
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

test('undoing the mark “found” on a post does not send a read or dismissed match notice again', async () => {
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

test('if the owner reads a match notice while the finder’s post is marked as found, undoing the mark does not send the notice again', async () => {
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

test('if both posts of a match were marked as found, the match notice is sent again only after both posts are open again', async () => {
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
  'after an undo of the mark “found” the owner has one match notice, even if the mailbox failed %s deleting the old notice',
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

test('if the Worker dies after undoing the mark “found” and before matching the post, the scheduled job matches the post', async () => {
  const { owner, finder, mine, other } = await tellOfMatch();
  await mark(finder, other);
  await expect.poll(() => noticesAbout(mine)).toEqual([]);
  await writeUndone(finder, other);
  await sweepIn(1);
  expect(await readMailbox(owner)).toMatchObject([{ post_id: other, your_post_id: mine }]);
  await expectMatched(other);
});

test('a post that many concurrent requests marked as found and opened again has exactly one match with one notice', async () => {
  const { owner, finder, mine, other } = await tellOfMatch();
  // Raises the limit of three notices a day: marking posts twenty times may create more notices.
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

const LOST = { posted_by: 'owner', title: 'Nimepoteza mwavuli wa kijani', description: '', location: 'Tanga' };
/** A post whose text does not describe the lost thing. */
const FOUND = { posted_by: 'finder', title: 'Kitu', description: '', location: 'Mwanza' };

function answer(finder: Person, answers_post_id: unknown, overrides: Record<string, unknown> = {}, key?: string) {
  return call(
    'POST',
    '/api/posts',
    { ...somePost, ...FOUND, answers_post_id, ...overrides },
    { ...finder, ...(key && { headers: { 'Idempotency-Key': key } }) },
  );
}

async function messagesOf(person: Person) {
  const { notices } = await (await call('GET', '/api/notices', undefined, person)).json<NoticeList>();
  return notices.map(({ message }) => message);
}

test('answering a lost post with “I found this” notifies the post’s author of a sure match, even if the two posts’ texts differ', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const lost = await newPost(owner, LOST);
  const made = await answer(finder, lost.id);
  expect(made.status).toBe(201);
  const { id } = await made.json<{ id: string }>();
  await expect
    .poll(() => messagesOf(owner))
    .toMatchObject([
      {
        type: 'matching_post',
        confidence: 'sure',
        post_id: id,
        your_post_id: lost.id,
        phone_number: somePost.phone_number,
      },
    ]);
  const matches = await (await call('GET', `/api/posts/${lost.id}/matches`, undefined, owner)).json<PostMatch[]>();
  expect(matches).toMatchObject([{ confidence: 'sure', Post: { id } }]);
  expect(matches[0]?.reasons[0]).toEqual({
    kind: 'named_by_finder',
    en: 'named by the finder',
    sw: 'limetajwa na aliyekiokota',
  });
  expect(matches[0]?.Post).not.toHaveProperty('answers_post_id');
});

test('a sure match that was created by “I found this” stays sure when the owner edits the lost post', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const lost = await newPost(owner, LOST);
  const { id } = await (await answer(finder, lost.id)).json<{ id: string }>();
  await expect.poll(async () => (await messagesOf(owner)).length).toBe(1);
  await call('PUT', `/api/posts/${lost.id}`, { ...somePost, ...LOST, title: 'Nimepoteza baiskeli' }, owner);
  const read = async () => {
    const matches = await (await call('GET', `/api/posts/${lost.id}/matches`, undefined, owner)).json<PostMatch[]>();
    return matches.map(({ confidence, Post }) => [confidence, Post.id]);
  };
  await expect.poll(read).toEqual([['sure', id]]);
});

test('“I found this” can answer only another person’s open, visible lost post, and only with a post by a finder', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const lost = await newPost(owner, LOST);
  const [own, found, closed, returned, hidden, gone] = [
    await newPost(finder, LOST),
    await newPost(owner, FOUND),
    await newPost(owner, LOST),
    await newPost(owner, LOST),
    await newPost(owner, LOST),
    await newPost(owner, LOST),
  ];
  await call('PUT', `/api/posts/${closed.id}/outcome`, { outcome: 'given_up' }, owner);
  await call('PATCH', `/api/posts/${returned.id}/found`, undefined, owner);
  await env.DB.prepare('update posts set hidden_by = 4 where id = ?').bind(hidden.id).run();
  await call('DELETE', `/api/posts/${gone.id}`, undefined, owner);
  const [blocker] = [await newPerson()];
  const blocked = await newPost(blocker, LOST);
  await env.DB.prepare("insert into blocks (blocker_id, blocked_id, id, name, created_at) values (?, ?, ?, '', 1)")
    .bind(blocker.id, finder.id, crypto.randomUUID())
    .run();
  const refused = [own, found, closed, returned, hidden, gone, blocked].map(({ id }) => id);
  for (const id of [...refused, 'hakuna', '', 7]) {
    const answered = await answer(finder, id);
    expect([id, answered.status]).toEqual([id, 422]);
    expect(await answered.json()).toMatchObject({ errors: [{ field: 'answers_post_id' }] });
  }
  expect((await answer(finder, lost.id, { posted_by: 'owner' })).status).toBe(422);
  expect((await answer(finder, null)).status).toBe(201);
});

test('only members can answer a community’s lost post with “I found this”', async () => {
  const { community, creator } = await newApprovedCommunity();
  const [owner, member, stranger] = [await newPerson(), await newPerson(), await newPerson()];
  for (const person of [owner, member]) await join(community.access_code, person);
  const community_code = await communityCodeOf(community.id, creator);
  const lost = await newPost(owner, { ...LOST, community_code });
  expect((await answer(stranger, lost.id)).status).toBe(422);
  expect((await answer(member, lost.id, { community_code })).status).toBe(201);
  await expect.poll(async () => (await messagesOf(owner)).length).toBe(1);
});

test('a person can answer lost posts with “I found this” at most five times a day, and can then still create other posts', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const lost = await newPost(owner, LOST);
  const answers = await Promise.all(Array.from({ length: 20 }, () => answer(finder, lost.id)));
  expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(5);
  const refused = answers.filter(({ status }) => status !== 201);
  for (const { status, headers } of refused) {
    expect(status).toBe(429);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
  }
  // Even when the limit is reached, an answer to an unknown post is refused with 422, not with 429.
  expect((await answer(finder, 'hakuna')).status).toBe(422);
  expect((await answer(finder, undefined)).status).toBe(201);
});

test('repeating “I found this” with the same idempotency key returns the post already created, even after the thing was returned', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const lost = await newPost(owner, LOST);
  const first = await (await answer(finder, lost.id, {}, 'ufunguo')).json<{ id: string }>();
  await call('PATCH', `/api/posts/${lost.id}/found`, undefined, owner);
  const again = await answer(finder, lost.id, {}, 'ufunguo');
  expect([again.status, (await again.json<{ id: string }>()).id]).toEqual([201, first.id]);
});
