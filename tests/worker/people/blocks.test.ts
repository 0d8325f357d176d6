import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Block } from '#contract/claims.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { NoticeList } from '#contract/notices.ts';
import type { Post, PostEntry, PostMatch } from '#contract/posts.ts';
import { call, newPerson, newPost, type Person } from '#tests/worker/support/api.ts';
import { newClaim, step } from '#tests/worker/support/claims.ts';
import { communityCodeOf, join, newApprovedCommunity, newPlatformAdmin } from '#tests/worker/support/communities.ts';
import { countTrips } from '#tests/worker/support/count-trips.ts';
import { decide, statusFor } from '#tests/worker/support/moderation.ts';
import { channelOf, connect, lostAndFound, settled } from '#tests/worker/support/notices.ts';
import { insertPosts } from '#tests/worker/support/posts.ts';

/** A post that matches no other post of this file. */
const SOME_HAT = { title: 'Kofia ya kijani', description: '', posted_by: 'finder' };

const block = (postId: string, person: Person) => call('POST', `/api/posts/${postId}/block-author`, undefined, person);
const blocksOf = async (person: Person) => (await call('GET', '/api/me/blocks', undefined, person)).json<Block[]>();
const unblock = (id: string, person: Person) => call('DELETE', `/api/me/blocks/${id}`, undefined, person);

async function titles(path: string, person: Person): Promise<string[]> {
  const answer = await call('GET', path, undefined, person);
  expect(answer.status).toBe(200);
  return (await answer.json<PostEntry[]>()).map(({ Post: post }) => post.title);
}

async function matchesOf(post: Post, person: Person): Promise<string[]> {
  const answer = await call('GET', `/api/posts/${post.id}/matches`, undefined, person);
  return (await answer.json<PostMatch[]>()).map(({ Post: { id } }) => id);
}

async function noticesOf(person: Person): Promise<NoticeList> {
  return (await call('GET', '/api/notices', undefined, person)).json<NoticeList>();
}

async function twoWhoMatch() {
  const [loser, finder] = [await newPerson(), await newPerson()];
  const { lost, found } = lostAndFound();
  const [lostPost, foundPost] = [await newPost(loser, lost), await newPost(finder, found)];
  expect(await matchesOf(lostPost, loser)).toContain(foundPost.id);
  return { loser, finder, lostPost, foundPost, lost, found };
}

test('a person who blocks the author of two posts from both posts sees one blocked person, under the first post’s title', async () => {
  const [blocker, other] = [await newPerson(), await newPerson()];
  const [first, second] = [
    await newPost(other, { ...SOME_HAT, title: 'Begi la kwanza' }),
    await newPost(other, SOME_HAT),
  ];
  expect((await block(first.id, blocker)).status).toBe(204);
  expect((await block(first.id, blocker)).status).toBe(204);
  expect((await block(second.id, blocker)).status).toBe(204);
  const [made, ...more] = await blocksOf(blocker);
  expect([made?.name, more]).toEqual(['Begi la kwanza', []]);
  expect(await blocksOf(other)).toEqual([]);
  expect((await unblock(made?.id ?? '', other)).status).toBe(404);
  expect((await unblock(made?.id ?? '', blocker)).status).toBe(204);
  expect((await unblock(made?.id ?? '', blocker)).status).toBe(404);
  expect(await blocksOf(blocker)).toEqual([]);
});

test('after the author of a post about a document is blocked, the list of blocked people shows the post’s redacted title', async () => {
  const blocker = await newPerson();
  const title = 'NIDA 19900101-14105-00002-24';
  const post = await newPost(await newPerson(), { ...SOME_HAT, title, kind: 'document' });
  await block(post.id, blocker);
  expect((await blocksOf(blocker)).map(({ name }) => name)).toEqual(['NIDA •••02-24']);
});

test('blocked people are listed with the date on which they were blocked, the latest first', async () => {
  const [blocker, claimant] = [await newPerson(), await newPerson()];
  const before = Date.now();
  for (const title of ['Begi', 'Kofia', 'Mkoba'])
    await block((await newPost(await newPerson(), { ...SOME_HAT, title })).id, blocker);
  const [latest] = await blocksOf(blocker);
  expect(Date.parse(latest?.created_at ?? '')).toBeGreaterThanOrEqual(before);
  await env.DB.prepare("update blocks set created_at = 5 where blocker_id = ? and name = 'Mkoba'")
    .bind(blocker.id)
    .run();
  expect((await blocksOf(blocker)).map(({ name }) => name)).toEqual(['Kofia', 'Begi', 'Mkoba']);
  // Blocking the claimant twice from a claim also creates only one block.
  const { id } = await newClaim((await newPost(blocker, SOME_HAT)).id, claimant);
  for (let times = 0; times < 2; times++) expect((await step(id, 'block', blocker)).status).toBe(204);
  expect(await blocksOf(blocker)).toHaveLength(4);
  expect(await blocksOf(claimant)).toEqual([]);
});

test('blocking the author of a post fails if the post is the blocker’s own or does not exist', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const { community, creator } = await newApprovedCommunity();
  const own = await newPost(person, SOME_HAT);
  const code = await communityCodeOf(community.id, creator);
  const inside = await newPost(creator, { ...SOME_HAT, community_code: code });
  const refused = await block(own.id, person);
  expect([refused.status, (await refused.json<ErrorBody>()).code]).toEqual([409, 'own_post']);
  for (const id of [inside.id, crypto.randomUUID()]) {
    const answer = await block(id, other);
    expect([answer.status, (await answer.json<ErrorBody>()).code]).toEqual([404, 'post_not_found']);
  }
  expect(
    await env.DB.prepare('select count(*) as n from blocks where blocker_id in (?, ?)')
      .bind(person.id, other.id)
      .first(),
  ).toEqual({ n: 0 });
});

test('a blocked person who tries to block their blocker gets the same 404 as for a post that does not exist', async () => {
  const [blocker, blocked] = [await newPerson(), await newPerson()];
  const [mine, theirs] = [await newPost(blocker, SOME_HAT), await newPost(blocked, SOME_HAT)];
  await block(theirs.id, blocker);
  const answer = await block(mine.id, blocked);
  const absent = await block(crypto.randomUUID(), blocked);
  expect([answer.status, await answer.text()]).toEqual([404, await absent.text()]);
  expect(await blocksOf(blocked)).toEqual([]);
});

test('a block removes a match from both people’s lists of matches, and the match returns when the block ends', async () => {
  const { loser, finder, lostPost, foundPost } = await twoWhoMatch();
  await block(foundPost.id, loser);
  expect(await matchesOf(lostPost, loser)).not.toContain(foundPost.id);
  expect(await matchesOf(foundPost, finder)).not.toContain(lostPost.id);
  const counts = await call('GET', '/api/matches/counts', undefined, finder);
  expect(await counts.json()).toEqual({});
  const [made] = await blocksOf(loser);
  await unblock(made?.id ?? '', loser);
  expect(await matchesOf(lostPost, loser)).toContain(foundPost.id);
  expect(await matchesOf(foundPost, finder)).toContain(lostPost.id);
});

test('a platform admin can open every hidden post, except posts of people who blocked the admin or whom the admin blocked', async () => {
  const [author, admin] = [await newPerson(), await newPlatformAdmin()];
  const post = await newPost(author, SOME_HAT);
  await decide('hide', post.id, admin);
  expect(await statusFor(post.id, admin)).toBe(200);
  expect((await block((await newPost(admin, SOME_HAT)).id, author)).status).toBe(204);
  expect(await statusFor(post.id, admin)).toBe(404);
});

test('a block withdraws the unread notices that the two people have about each other, so that these notices are not delivered later', async () => {
  for (const who of ['loser', 'finder'] as const) {
    const people = await twoWhoMatch();
    const { loser, lostPost, foundPost } = people;
    const { unread_count, notices } = await noticesOf(loser);
    const waiting = () => channelOf(loser).listWaiting(notices.map(({ message }) => message.id));
    expect([unread_count, (await waiting()).length]).toEqual([1, 1]);
    await block(who === 'loser' ? foundPost.id : lostPost.id, people[who]);
    expect(await noticesOf(loser)).toEqual({ unread_count: 0, notices: [] });
    expect(await waiting()).toEqual([]);
    const live = await connect(loser);
    await settled(live);
    live.socket.close();
    expect(live.messages).toEqual([]);
  }
});

test('blocking the other party of a claim withdraws the unread notices that the two people have about each other', async () => {
  const { loser, finder, foundPost } = await twoWhoMatch();
  const { id } = await newClaim(foundPost.id, loser);
  const { unread_count, notices } = await noticesOf(loser);
  const waiting = () => channelOf(loser).listWaiting(notices.map((notice) => notice.message.id));
  expect([unread_count, (await waiting()).length]).toEqual([1, 1]);
  expect((await step(id, 'block', finder)).status).toBe(204);
  expect(await noticesOf(loser)).toEqual({ unread_count: 0, notices: [] });
  expect(await waiting()).toEqual([]);
  const live = await connect(loser);
  await settled(live);
  live.socket.close();
  expect(live.messages).toEqual([]);
});

test('if one person blocks another, both get no new notices about each other’s posts until the block ends', async () => {
  const { loser, finder, lostPost, foundPost, lost, found } = await twoWhoMatch();
  await block(lostPost.id, finder);
  const again = await newPost(finder, found);
  await newPost(loser, lost);
  expect(await matchesOf(again, finder)).not.toContain(lostPost.id);
  expect((await noticesOf(loser)).notices).toEqual([]);
  const [made] = await blocksOf(finder);
  await unblock(made?.id ?? '', finder);
  const third = await newPost(finder, found);
  expect(await matchesOf(lostPost, loser)).toEqual(expect.arrayContaining([foundPost.id, third.id]));
  expect((await noticesOf(loser)).notices.map(({ message }) => 'post_id' in message && message.post_id)).toContain(
    third.id,
  );
});

test('if one person blocks another at the moment when their posts match, the blocker has no notice about the match', async () => {
  for (let turn = 0; turn < 5; turn++) {
    const [loser, finder] = [await newPerson(), await newPerson()];
    const { lost, found } = lostAndFound();
    const [before, lostPost] = [await newPost(finder, SOME_HAT), await newPost(loser, lost)];
    const [after] = await Promise.all([newPost(finder, found), block(before.id, loser)]);
    expect(await noticesOf(loser)).toEqual({ unread_count: 0, notices: [] });
    expect(await matchesOf(lostPost, loser)).not.toContain(after.id);
  }
});

test('two people who block each other at the same time do not see each other’s posts until no block between them remains', async () => {
  const [one, other] = [await newPerson(), await newPerson()];
  const [first, second] = [await newPost(one, SOME_HAT), await newPost(other, SOME_HAT)];
  await Promise.all([block(second.id, one), block(first.id, other)]);
  for (const person of [one, other]) {
    const [made] = await blocksOf(person);
    if (!made) continue;
    expect((await call('GET', `/api/posts/${first.id}`, undefined, other)).status).toBe(404);
    await unblock(made.id, person);
  }
  expect((await call('GET', `/api/posts/${first.id}`, undefined, other)).status).toBe(200);
  expect((await call('GET', `/api/posts/${second.id}`, undefined, one)).status).toBe(200);
});

/** The most rows that a page may read: 5,000 public posts and 5,000 posts of the community, several times each. */
const ROWS_MAX = 5_000 * 16;
/**
 * The most pages of a list. Some pages of a search examine only a thousand posts, so a search that passes the blocked
 * person's 14,000 posts may take 14 pages.
 */
const PAGES_MAX = 18;

test('a page of a list or search reads a bounded number of rows even if the reader has blocked an author of 14,000 posts', async () => {
  const { community, creator } = await newApprovedCommunity();
  const [reader, flooder] = [await newPerson(), await newPerson()];
  for (const person of [reader, flooder]) await join(community.access_code, person);
  const code = await communityCodeOf(community.id, creator);
  const flood = Array.from({ length: 7_000 }, (_, index) => `Mafuriko ya simu ${index}`);
  await insertPosts(creator.id, ['Simu ya kale kabisa', 'Simu ya kale']);
  await insertPosts(creator.id, ['Simu ya ndani'], { communityId: community.id });
  await insertPosts(flooder.id, flood);
  await insertPosts(flooder.id, flood, { communityId: community.id });
  await insertPosts(creator.id, ['Simu mpya'], { communityId: community.id });
  await insertPosts(creator.id, ['Simu mpya zaidi']);
  const { results } = await env.DB.prepare('select id from posts where author_id = ? limit 1')
    .bind(flooder.id)
    .all<Post>();
  await block(results[0]?.id ?? '', reader);
  const all = ['Simu mpya zaidi', 'Simu mpya', 'Simu ya ndani', 'Simu ya kale', 'Simu ya kale kabisa'];
  const inside = ['Simu mpya', 'Simu ya ndani'];
  for (const [path, expected] of [
    ['/api/posts', all],
    ['/api/posts?search=simu', all],
    // A search of two letters reads only the newest posts: these two, and posts by the blocked person.
    ['/api/posts?search=si', ['Simu mpya zaidi', 'Simu mpya']],
    ['/api/posts?posted_by=finder', all],
    [`/api/posts?community_code=${code}`, inside],
    [`/api/posts?community_code=${code}&search=simu`, inside],
  ] as const) {
    const seen: Post[] = [];
    for (let next: string | undefined = path, pages = 0; next; pages++) {
      const { answer, rowsRead, trips } = await countTrips('GET', next, reader);
      seen.push(...(await answer.json<PostEntry[]>()).map(({ Post: post }) => post));
      next = /<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1];
      expect([path, trips, pages < PAGES_MAX]).toEqual([path, 1, true]);
      expect(rowsRead, path).toBeLessThan(ROWS_MAX);
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    const titlesSeen = seen.map(({ title }) => title);
    expect(titlesSeen.filter((title) => title.startsWith('Mafuriko'))).toEqual([]);
    expect([path, titlesSeen.filter((title) => all.includes(title))]).toEqual([path, expected]);
  }
  expect(await titles('/api/posts?limit=2', flooder)).toHaveLength(2);
}, 120_000);
