import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import type { CommunityDecisionMessage } from '#contract/live-messages.ts';
import type { NoticeList } from '#contract/notices.ts';
import { openDb } from '#worker/db/client.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { call } from './support/api.ts';
import { expectTrips } from './support/count-trips.ts';
import { connect, lostAndFound, newPeople, type Somebody, settled } from './support/live.ts';
import { forgetPosts, pairsOf, postAndMatch, sweepIn } from './support/saved-posts.ts';

beforeEach(forgetPosts);

async function twoPeople(): Promise<[Somebody, Somebody]> {
  const [owner, finder] = await newPeople(2);
  if (!owner || !finder) throw new Error('nobody');
  return [owner, finder];
}

/** An owner who was told of so many matches, oldest first. */
async function tellMatches(count: number) {
  const [owner, finder] = await twoPeople();
  const { lost, found } = lostAndFound();
  const mine = await postAndMatch(owner, lost);
  const others: string[] = [];
  for (let told = 0; told < count; told++) others.push(await postAndMatch(finder, found));
  return { owner, finder, mine, others, texts: { lost, found } };
}

async function list(person: Somebody, query = '') {
  const answer = await call('GET', `/api/notices${query}`, undefined, person);
  expect(answer.status).toBe(200);
  return {
    ...(await answer.json<NoticeList>()),
    next: /<([^>]+)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1],
  };
}

async function countUnacknowledged(person: Somebody): Promise<number> {
  const live = await connect(person);
  await settled(live);
  live.socket.close();
  return live.messages.length;
}

test('a person’s notices are listed newest first, as they were sent, a page at a time', async () => {
  const { owner, mine, others } = await tellMatches(3);
  const live = await connect(owner);
  await settled(live);
  const first = await list(owner, '?limit=2');
  expect(first.unread_count).toBe(3);
  expect(first.notices).toHaveLength(2);
  const second = await list(owner, first.next?.replace('/api/notices', ''));
  expect(second.next).toBeUndefined();
  const all = [...first.notices, ...second.notices];
  expect(all.map(({ message }) => message)).toEqual([...live.messages].reverse());
  expect(all[0]).toMatchObject({ read_at: null, is_open: true, message: { your_post_id: mine } });
  expect(all.map(({ message }) => message.type === 'matching_post' && message.post_id).sort()).toEqual(others.sort());
});

test('notices are their recipient’s alone', async () => {
  const { owner, finder } = await tellMatches(1);
  const [notice] = (await list(owner)).notices;
  const id = notice?.message.id ?? '';
  expect(await list(finder)).toMatchObject({ unread_count: 0, notices: [] });
  expect((await call('POST', `/api/notices/${id}/dismiss`, undefined, finder)).status).toBe(404);
  await call('POST', '/api/notices/read', { ids: [id], up_to: id }, finder);
  expect(await list(owner)).toMatchObject({ unread_count: 1 });
  const refusals = await Promise.all([
    call('GET', '/api/notices'),
    call('POST', '/api/notices/read', { ids: [id] }),
    call('POST', `/api/notices/${id}/dismiss`),
  ]);
  expect(refusals.map(({ status }) => status)).toEqual([401, 401, 401]);
});

test('a notice that was read is not sent to any socket again', async () => {
  const { owner } = await tellMatches(2);
  const { notices } = await list(owner);
  expect(await countUnacknowledged(owner)).toBe(2);
  const answer = await call('POST', '/api/notices/read', { ids: [notices[1]?.message.id] }, owner);
  expect(await answer.json()).toEqual({ unread_count: 1 });
  await expect.poll(() => countUnacknowledged(owner)).toBe(1);
  expect((await list(owner)).notices.map(({ read_at }) => read_at === null)).toEqual([true, false]);
});

test('everything up to a notice is read at once, and what came later is not', async () => {
  const { owner, finder, texts } = await tellMatches(2);
  const newest = (await list(owner)).notices[0]?.message.id;
  await postAndMatch(finder, texts.found);
  const answer = await call('POST', '/api/notices/read', { up_to: newest }, owner);
  expect(await answer.json()).toEqual({ unread_count: 1 });
  const again = await call('POST', '/api/notices/read', { up_to: newest }, owner);
  expect(await again.json()).toEqual({ unread_count: 1 });
});

test('a dismissed pair never comes back for either side, and its notice is acknowledged', async () => {
  const { owner, finder, mine, others, texts } = await tellMatches(1);
  const id = (await list(owner)).notices[0]?.message.id ?? '';
  for (let time = 0; time < 2; time++)
    expect((await call('POST', `/api/notices/${id}/dismiss`, undefined, owner)).status).toBe(204);
  await expect.poll(() => countUnacknowledged(owner)).toBe(0);
  expect(await list(owner)).toMatchObject({ unread_count: 0, notices: [] });
  const rest = { location: 'Kariakoo, Dar es Salaam', phone_number: '0712345678' };
  for (const [person, post, text] of [
    [owner, mine, texts.lost],
    [finder, others[0] ?? '', texts.found],
  ] as const) {
    const changed = { ...text, ...rest, title: `${text.title}!` };
    expect((await call('PUT', `/api/posts/${post}`, changed, person)).status).toBe(200);
    await expect
      .poll(() => env.DB.prepare('select match_pending_since as due from posts where id = ?').bind(post).first())
      .toEqual({ due: null });
    expect(await (await call('GET', `/api/posts/${post}/matches`, undefined, person)).json()).toEqual([]);
    expect(await (await call('GET', '/api/matches/counts', undefined, person)).json()).toEqual({});
  }
  await sweepIn(5);
  expect(await pairsOf(mine)).toMatchObject([{ dismissed_at: expect.any(Number) }]);
  expect(await countUnacknowledged(owner)).toBe(0);
  expect(await countUnacknowledged(finder)).toBe(0);
  expect((await call('POST', `/api/notices/${id}/dismiss`, undefined, owner)).status).toBe(204);
});

test('who has not yet seen a notice gets the post as it was corrected since, once', async () => {
  const { owner, finder, others, texts } = await tellMatches(1);
  const early = await connect(owner);
  await settled(early);
  const corrected = { ...texts.found, location: 'Kariakoo, Dar es Salaam', phone_number: '0754000111' };
  expect((await call('PUT', `/api/posts/${others[0]}`, corrected, finder)).status).toBe(200);
  const numbers = async () => {
    const live = await connect(owner);
    await settled(live);
    live.socket.close();
    return live.messages.map((message) => message.type === 'matching_post' && message.phone_number);
  };
  await expect.poll(numbers).toEqual(['0754000111']);
  expect(early.messages).toHaveLength(1);
});

test('a read notice of a post that was returned stays in the list, closed; a deleted post takes it away', async () => {
  const { owner, finder, others } = await tellMatches(2);
  const { notices } = await list(owner);
  await call('POST', '/api/notices/read', { up_to: notices[0]?.message.id }, owner);
  await call('PATCH', `/api/posts/${others[0]}/found`, undefined, finder);
  await call('DELETE', `/api/posts/${others[1]}`, undefined, finder);
  await expect
    .poll(async () => (await list(owner)).notices)
    .toMatchObject([{ is_open: false, message: { post_id: others[0] } }]);
});

test('a person who left a community no longer reads of its posts', async () => {
  const [owner, finder] = await twoPeople();
  const communityId = crypto.randomUUID();
  const statements = [
    `insert into communities (id, name, description, search_text, community_code, access_code, approval_status, creator_id, created_at)
     values ('${communityId}', 'Shule', '', '', '${communityId}', 'a${communityId}', 1, '${finder.id}', 0)`,
    ...[owner, finder].map(
      ({ id }) =>
        `insert into memberships (community_id, user_id, role, joined_at) values ('${communityId}', '${id}', 'member', 0)`,
    ),
  ];
  await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
  const { lost, found } = lostAndFound();
  await postAndMatch(owner, lost);
  await postAndMatch(finder, { ...found, communityId });
  expect(await list(owner)).toMatchObject({ unread_count: 1, notices: [{ is_open: true }] });
  await env.DB.prepare('delete from memberships where user_id = ?').bind(owner.id).run();
  expect(await list(owner)).toMatchObject({ unread_count: 0, notices: [] });
});

test('a community’s decision reaches its creator as a notice', async () => {
  const [creator] = await twoPeople();
  const message: CommunityDecisionMessage = {
    type: 'community_rejected',
    id: crypto.randomUUID(),
    community_id: 'a-community',
    name: 'Shule ya Msingi',
    reason: 'Jina halieleweki.',
    created_at: new Date().toISOString(),
  };
  await env.DB.prepare('insert into notices (id, recipient_id, type, body, created_at) values (?, ?, ?, ?, ?)')
    .bind(message.id, creator.id, message.type, JSON.stringify(message), Date.now())
    .run();
  const live = await connect(creator);
  await deliverNotices(env, openDb(env), [message.id]);
  await expect.poll(() => live.messages).toEqual([message]);
  expect((await list(creator)).notices).toMatchObject([{ message, is_open: true }]);
  expect((await call('POST', `/api/notices/${message.id}/dismiss`, undefined, creator)).status).toBe(404);
});

test('what is no list of notices is refused with every field that is wrong', async () => {
  const [person] = await twoPeople();
  const bad = ['?limit=0', '?limit=101', '?cursor=7', '?cursor=nonsense'];
  for (const query of bad) expect((await call('GET', `/api/notices${query}`, undefined, person)).status).toBe(422);
  for (const body of [
    { ids: 'x' },
    { ids: [1] },
    { ids: ['x'.repeat(65)] },
    { ids: Array(101).fill('x') },
    { up_to: 3 },
  ])
    expect((await call('POST', '/api/notices/read', body, person)).status).toBe(422);
  expect((await call('POST', '/api/notices/read', '{', person)).status).toBe(400);
  expect(await (await call('POST', '/api/notices/read', {}, person)).json()).toEqual({ unread_count: 0 });
});

test('a revoked token reads, marks and dismisses nothing', async () => {
  const { owner } = await tellMatches(1);
  const id = (await list(owner)).notices[0]?.message.id ?? '';
  await env.DB.prepare('update users set token_version = 2 where id = ?').bind(owner.id).run();
  const answers = await Promise.all([
    call('GET', '/api/notices', undefined, owner),
    call('POST', '/api/notices/read', { ids: [id] }, owner),
    call('POST', `/api/notices/${id}/dismiss`, undefined, owner),
    call('POST', '/api/realtime/ticket', undefined, owner),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  const row = await env.DB.prepare(
    'select n.read_at, m.dismissed_at from notices n join match_pairs m on m.id = n.pair_id where n.id = ?',
  )
    .bind(id)
    .first();
  expect(row).toEqual({ read_at: null, dismissed_at: null });
});

test('every route of notices and matches makes one round trip to D1', async () => {
  const { owner, mine } = await tellMatches(2);
  const id = (await list(owner)).notices[0]?.message.id ?? '';
  await expectTrips(1, 200, 'GET', '/api/notices', owner);
  await expectTrips(1, 200, 'POST', '/api/notices/read', { ...owner, body: { ids: [id] } });
  await expectTrips(1, 204, 'POST', `/api/notices/${id}/dismiss`, owner);
  await expectTrips(1, 200, 'GET', `/api/posts/${mine}/matches`, owner);
  await expectTrips(1, 200, 'GET', '/api/matches/counts', owner);
  await expectTrips(1, 200, 'POST', '/api/realtime/ticket', owner);
});
