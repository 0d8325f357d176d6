import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { POSSIBLE_MATCHES_MAX } from '#contract/limits.ts';
import type { NoticeList } from '#contract/notices.ts';
import type { PostMatch } from '#contract/posts.ts';
import { call, newPost } from '#tests/worker/support/api.ts';
import { expectTrips } from '#tests/worker/support/count-trips.ts';
import { connect, newPeople, type Somebody, settled } from '#tests/worker/support/notices.ts';
import { judge, noticesAbout, saveMatched, sweepIn } from '#tests/worker/support/posts.ts';

async function people<Count extends number>(count: Count) {
  return (await newPeople(count)) as [Somebody, Somebody, Somebody, ...Somebody[]];
}

/** Saves two posts by two people, the owner's post first. The posts do not match until a test calls `judge`. */
async function twoPosts() {
  const [owner, finder, stranger] = await people(3);
  const lost = await saveMatched(owner, 'owner');
  const found = await saveMatched(finder, 'finder');
  return { owner, finder, stranger, lost, found };
}

async function listMatches(person: Somebody, postId: string) {
  const answer = await call('GET', `/api/posts/${postId}/matches`, undefined, person);
  expect(answer.status).toBe(200);
  return answer.json<PostMatch[]>();
}

/** Waits until the post has been matched. */
async function expectMatched(postId: string): Promise<void> {
  await expect
    .poll(() => env.DB.prepare('select match_pending_since as due from posts where id = ?').bind(postId).first('due'))
    .toBeNull();
}

async function countMatches(person: Somebody) {
  return (await call('GET', '/api/matches/counts', undefined, person)).json();
}

async function listNotices(person: Somebody) {
  return (await call('GET', '/api/notices', undefined, person)).json<NoticeList>();
}

/** The notices that a new connection of the person receives. */
async function readMailbox(person: Somebody) {
  const live = await connect(person);
  await settled(live);
  live.socket.close();
  return live.messages;
}

async function pairIdOf(person: Somebody, postId: string) {
  return (await listMatches(person, postId))[0]?.pair_id ?? '';
}

async function answer(person: { token?: string }, pairId: string, said: 'confirm' | 'dismiss') {
  return (await call('POST', `/api/matches/${pairId}/${said}`, undefined, person)).status;
}

test('a possible match is listed and counted for both authors, and nobody is notified', async () => {
  const { owner, finder, lost, found } = await twoPosts();
  await judge(found, { [lost]: 'possible' });
  const [mine] = await listMatches(owner, lost);
  const [theirs] = await listMatches(finder, found);
  expect(mine).toMatchObject({ confidence: 'possible', Post: { id: found, phone_number: '0712345678' } });
  expect(theirs).toMatchObject({ confidence: 'possible', pair_id: mine?.pair_id, Post: { id: lost } });
  expect(await countMatches(owner)).toEqual({ [lost]: 1 });
  await sweepIn(5);
  expect(await noticesAbout(found)).toEqual([]);
  expect([...(await readMailbox(owner)), ...(await readMailbox(finder))]).toEqual([]);
});

test('a post’s list of matches shows the ten best sure matches, then the ten best possible matches', async () => {
  const [owner, finder] = await people(2);
  const lost = await saveMatched(owner, 'owner');
  const possible: string[] = [];
  for (let count = 0; count < POSSIBLE_MATCHES_MAX + 3; count++) possible.push(await saveMatched(finder, 'finder'));
  const sure = await saveMatched(finder, 'finder');
  const verdicts = possible.map((id, index) => [id, { confidence: 'possible', score: 0.2 + index / 100 }] as const);
  await judge(lost, { ...Object.fromEntries(verdicts), [sure]: { confidence: 'sure', score: 0.1 } });
  const listed = await listMatches(owner, lost);
  expect(listed.map(({ Post }) => Post.id)).toEqual([sure, ...possible.slice(3).reverse()]);
  expect(listed.map(({ confidence }) => confidence)).toEqual(['sure', ...Array(10).fill('possible')]);
  expect(await countMatches(owner)).toEqual({ [lost]: 11 });
});

test('the database stores every sure match of a post, but only the thirty possible matches with the highest scores', async () => {
  const { finder, lost, found: sure } = await twoPosts();
  const possible: string[] = [];
  for (let count = 0; count < 3 * POSSIBLE_MATCHES_MAX + 2; count++) possible.push(await saveMatched(finder, 'finder'));
  const verdicts = possible.map((id, index) => [id, { confidence: 'possible', score: 0.2 + index / 100 }] as const);
  await judge(lost, { ...Object.fromEntries(verdicts), [sure]: 'sure' });
  const { results } = await env.DB.prepare(
    'select found_post_id as id from match_pairs where lost_post_id = ? order by score desc',
  )
    .bind(lost)
    .all<{ id: string }>();
  expect(new Set(results.map(({ id }) => id))).toEqual(new Set([sure, ...possible.slice(2)]));
});

test('when a possible match becomes sure, the earlier post’s author is notified once, even if the match changes again', async () => {
  const { owner, finder, lost, found } = await twoPosts();
  await judge(found, { [lost]: 'possible' });
  const pairId = await pairIdOf(owner, lost);
  await judge(found, { [lost]: 'sure' });
  const told = [{ type: 'matching_post', pair_id: pairId, confidence: 'sure', post_id: found, your_post_id: lost }];
  expect(await readMailbox(owner)).toMatchObject(told);
  await judge(lost, { [found]: 'possible' });
  expect(await listMatches(owner, lost)).toMatchObject([{ pair_id: pairId, confidence: 'possible' }]);
  await judge(found, { [lost]: 'sure' });
  await sweepIn(5);
  expect(await readMailbox(owner)).toMatchObject(told);
  expect((await listNotices(owner)).notices.map(({ message }) => message)).toMatchObject(told);
  expect(await readMailbox(finder)).toEqual([]);
});

test('the list of matches shows “confirmed” only to the author who confirmed the match', async () => {
  const { owner, finder, lost, found } = await twoPosts();
  await judge(found, { [lost]: 'possible' });
  expect(await listMatches(owner, lost)).toMatchObject([{ answer: null }]);
  await answer(owner, await pairIdOf(owner, lost), 'confirm');
  expect(await listMatches(owner, lost)).toMatchObject([{ answer: 'confirmed' }]);
  expect(await listMatches(finder, found)).toMatchObject([{ answer: null }]);
});

test('if the author of one post confirms a match three times, the author of the other post gets only one notice', async () => {
  const { owner, finder, lost, found } = await twoPosts();
  await judge(found, { [lost]: 'possible' });
  const pairId = await pairIdOf(owner, lost);
  const live = await connect(finder);
  for (let press = 0; press < 3; press++) expect(await answer(owner, pairId, 'confirm')).toBe(204);
  const told = [{ type: 'matching_post', pair_id: pairId, confidence: 'possible', post_id: lost, your_post_id: found }];
  await expect.poll(() => live.messages).toMatchObject(told);
  await settled(live);
  expect(live.messages).toHaveLength(1);
  expect((await listNotices(finder)).notices.map(({ message }) => message)).toEqual(live.messages);
  expect(await readMailbox(owner)).toEqual([]);
  expect(await answer(finder, pairId, 'confirm')).toBe(204);
  await expect.poll(() => readMailbox(owner)).toMatchObject([{ pair_id: pairId, post_id: found }]);
});

test('only the authors of the two matching posts can confirm or dismiss the match', async () => {
  const { owner, stranger, lost, found } = await twoPosts();
  await judge(found, { [lost]: 'possible' });
  const pairId = await pairIdOf(owner, lost);
  for (const said of ['confirm', 'dismiss'] as const) {
    expect(await answer(stranger, pairId, said)).toBe(404);
    expect(await answer(owner, 'no-such-pair', said)).toBe(404);
    expect(await answer({}, pairId, said)).toBe(401);
  }
  await env.DB.prepare('update users set token_version = 2 where id = ?').bind(owner.id).run();
  expect(await answer(owner, pairId, 'confirm')).toBe(401);
  expect(await answer(owner, pairId, 'dismiss')).toBe(401);
  expect(await env.DB.prepare('select * from match_answers where pair_id = ?').bind(pairId).first()).toBeNull();
  expect(await noticesAbout(lost)).toEqual([]);
});

test('a match cannot be confirmed if it was dismissed, if one of its posts is marked as returned, or if its posts no longer match', async () => {
  const { owner, finder, lost, found } = await twoPosts();
  await judge(found, { [lost]: 'possible' });
  const pairId = await pairIdOf(owner, lost);
  await judge(found, {});
  expect(await answer(owner, pairId, 'confirm')).toBe(409);
  await judge(found, { [lost]: 'possible' });
  await env.DB.prepare('update posts set is_found = 1 where id = ?').bind(found).run();
  expect(await answer(owner, pairId, 'confirm')).toBe(409);
  await env.DB.prepare('update posts set is_found = 0 where id = ?').bind(found).run();
  expect(await answer(owner, pairId, 'dismiss')).toBe(204);
  expect(await answer(owner, pairId, 'confirm')).toBe(404);
  expect(await readMailbox(finder)).toEqual([]);
  expect((await call('DELETE', `/api/posts/${found}`, undefined, finder)).status).toBe(204);
  expect(await answer(owner, pairId, 'dismiss')).toBe(404);
  expect(await env.DB.prepare('select * from match_answers where pair_id = ?').bind(pairId).first()).toBeNull();
});

test('dismissing a match as “not this one” hides it permanently, only for the person who dismisses it', async () => {
  const { owner, finder, lost, found } = await twoPosts();
  await judge(found, { [lost]: 'possible' });
  const pairId = await pairIdOf(owner, lost);
  for (let press = 0; press < 2; press++) expect(await answer(owner, pairId, 'dismiss')).toBe(204);
  expect(await listMatches(owner, lost)).toEqual([]);
  expect(await countMatches(owner)).toEqual({});
  expect(await listMatches(finder, found)).toMatchObject([{ pair_id: pairId }]);
  expect(await countMatches(finder)).toEqual({ [found]: 1 });
  await judge(found, { [lost]: 'sure' });
  expect(await answer(finder, pairId, 'confirm')).toBe(204);
  await sweepIn(5);
  expect(await readMailbox(owner)).toEqual([]);
  expect(await listNotices(owner)).toMatchObject({ unread_count: 0, notices: [] });
  expect(await listMatches(owner, lost)).toEqual([]);
});

test('if a person dismisses a match as “not this one”, their notices of the match are removed from their list and mailbox', async () => {
  const { owner, finder, lost, found } = await twoPosts();
  await judge(found, { [lost]: 'sure' });
  const pairId = await pairIdOf(owner, lost);
  expect(await answer(finder, pairId, 'confirm')).toBe(204);
  expect(await answer(owner, pairId, 'confirm')).toBe(204);
  await expect.poll(async () => (await listNotices(owner)).unread_count).toBe(2);
  expect(await answer(owner, pairId, 'dismiss')).toBe(204);
  await expect.poll(() => readMailbox(owner)).toEqual([]);
  expect(await listNotices(owner)).toMatchObject({ unread_count: 0, notices: [] });
  expect(await readMailbox(finder)).toMatchObject([{ pair_id: pairId, confidence: 'possible' }]);
});

test('if an author confirms a match and then dismisses the match through its notice, the other author’s notice is withdrawn', async () => {
  const { owner, finder, lost, found } = await twoPosts();
  await judge(found, { [lost]: 'sure' });
  const pairId = await pairIdOf(owner, lost);
  expect(await answer(owner, pairId, 'confirm')).toBe(204);
  await expect.poll(() => readMailbox(finder)).toHaveLength(1);
  const [notice] = (await listNotices(owner)).notices;
  expect((await call('POST', `/api/notices/${notice?.message.id}/dismiss`, undefined, owner)).status).toBe(204);
  await expect.poll(() => readMailbox(finder)).toEqual([]);
  expect(await listNotices(finder)).toMatchObject({ unread_count: 0, notices: [] });
  expect(await answer(finder, pairId, 'confirm')).toBe(404);
});

test('the finder gets the unread notice of a confirmed match again if the owner’s post is marked as returned and then reopened', async () => {
  const { owner, finder, lost, found } = await twoPosts();
  await judge(found, { [lost]: 'possible' });
  expect(await answer(owner, await pairIdOf(owner, lost), 'confirm')).toBe(204);
  await expect.poll(() => readMailbox(finder)).toHaveLength(1);
  const found_ = `/api/posts/${lost}/found`;
  expect((await call('PATCH', found_, undefined, owner)).status).toBe(200);
  await expect.poll(() => noticesAbout(lost)).toEqual([]);
  expect(await readMailbox(finder)).toEqual([]);
  expect((await call('DELETE', found_, undefined, owner)).status).toBe(200);
  await expectMatched(lost);
  await judge(lost, { [found]: 'possible' });
  await expect.poll(() => readMailbox(finder)).toMatchObject([{ confidence: 'possible', post_id: lost }]);
});

test.each(['sure', 'possible'] as const)(
  'however often a post is reopened, its match causes a limited number of notices a day (match: %s)',
  async (confidence) => {
    const { owner, finder, lost, found } = await twoPosts();
    await judge(found, { [lost]: confidence });
    const confirm = async () => answer(finder, await pairIdOf(finder, found), 'confirm');
    if (confidence === 'possible') expect(await confirm()).toBe(204);
    const reopen = async () => {
      expect((await call('PATCH', `/api/posts/${found}/found`, undefined, finder)).status).toBe(200);
      await expect.poll(() => noticesAbout(found)).toEqual([]);
      expect((await call('DELETE', `/api/posts/${found}/found`, undefined, finder)).status).toBe(200);
      await expectMatched(found);
      await judge(found, { [lost]: confidence });
      if (confidence === 'possible') expect(await confirm()).toBe(204);
    };
    const counted = () =>
      env.DB.prepare('select notice_count from given_numbers where reader_id = ?').bind(owner.id).first('notice_count');
    for (let round = 0; round < 6; round++) await reopen();
    // The limit is three notices a day. The notice that the confirmation itself created is sent in addition.
    expect(await counted()).toBe(confidence === 'sure' ? 3 : 4);
    expect(await listNotices(owner)).toMatchObject({ unread_count: 0, notices: [] });
    expect(await listMatches(owner, lost)).toMatchObject([{ confidence, Post: { id: found } }]);
    await env.DB.exec('update rate_counters set window_ends_at = 1');
    await reopen();
    expect(await readMailbox(owner)).toMatchObject([{ confidence, post_id: found, your_post_id: lost }]);
  },
);

test.each(['sure', 'possible'] as const)(
  'an unread match notice is withdrawn when the posts stop matching, and sent again when the posts match again (match: %s)',
  async (confidence) => {
    const { owner, finder, lost, found } = await twoPosts();
    await judge(found, { [lost]: confidence });
    if (confidence === 'possible') expect(await answer(finder, await pairIdOf(finder, found), 'confirm')).toBe(204);
    const told = { confidence, post_id: found, your_post_id: lost };
    await expect.poll(() => readMailbox(owner)).toMatchObject([told]);
    await judge(found, {});
    expect(await readMailbox(owner)).toEqual([]);
    expect(await listNotices(owner)).toMatchObject({ unread_count: 0, notices: [] });
    await judge(lost, { [found]: confidence });
    expect(await readMailbox(owner)).toMatchObject([told]);
    await call('POST', '/api/notices/read', { ids: (await noticesAbout(found)).map(({ id }) => id) }, owner);
    await judge(found, {});
    await judge(found, { [lost]: confidence });
    expect(await readMailbox(owner)).toEqual([]);
    expect(await listNotices(owner)).toMatchObject({ unread_count: 0, notices: [{ message: told }] });
  },
);

test('a person gets at most three match notices a day about the posts of one other author', async () => {
  const [owner, finder, another] = await people(3);
  const lost = await saveMatched(owner, 'owner');
  const found: string[] = [];
  for (let count = 0; count < 5; count++) {
    const post = await saveMatched(finder, 'finder');
    await judge(post, { [lost]: 'sure' });
    found.push(post);
  }
  const told = async () => (await noticesAbout(lost)).map(({ post_id }) => post_id);
  expect(await told()).toEqual(found.slice(0, 3));
  expect(await listMatches(owner, lost)).toHaveLength(5);
  const others = await saveMatched(another, 'finder');
  await judge(others, { [lost]: 'sure' });
  expect(await told()).toHaveLength(4);
  // The limit prevented a notice about the match with `found[4]`. On the next day there is no such notice either.
  await env.DB.exec('update rate_counters set window_ends_at = 1');
  await judge(found[4] ?? '', { [lost]: 'sure' });
  expect(await told()).toHaveLength(4);
  const next = await saveMatched(finder, 'finder');
  await judge(next, { [lost]: 'sure' });
  expect(await told()).toHaveLength(5);
});

test('if many posts of one author match a person’s post at the same time, the person is notified of the three best matches', async () => {
  const [owner, finder] = await people(2);
  const found: string[] = [];
  for (let count = 0; count < 5; count++) found.push(await saveMatched(finder, 'finder'));
  const lost = await saveMatched(owner, 'owner');
  const verdicts = found.map((id, index) => [id, { confidence: 'sure', score: 0.9 + index / 100 }] as const);
  await judge(lost, Object.fromEntries(verdicts));
  const told = (await noticesAbout(lost)).map(({ your_post_id }) => your_post_id);
  expect(told.sort()).toEqual(found.slice(2).sort());
  expect(await readMailbox(finder)).toHaveLength(3);
  const later = await saveMatched(owner, 'owner');
  await judge(later, { [found[0] ?? '']: 'sure' });
  expect(await noticesAbout(later)).toEqual([]);
});

test('the limit of three match notices a day does not apply if the matching post’s author confirms the match or RATE_LIMITS is “off”', async () => {
  const [owner, finder] = await people(2);
  const lost = await saveMatched(owner, 'owner');
  const posts: string[] = [];
  for (let count = 0; count < 4; count++) {
    const post = await saveMatched(finder, 'finder');
    await judge(post, { [lost]: 'sure' });
    posts.push(post);
  }
  expect(await noticesAbout(lost)).toHaveLength(3);
  expect(await answer(finder, await pairIdOf(finder, posts[3] ?? ''), 'confirm')).toBe(204);
  expect(await noticesAbout(lost)).toHaveLength(4);
  const more = await saveMatched(finder, 'finder');
  await judge(more, { [lost]: 'sure' }, { ...env, WHATSAPP_TRANSPORT: 'local', RATE_LIMITS: 'off' } as typeof env);
  expect(await noticesAbout(lost)).toHaveLength(5);
});

test('right after saving a post, its author can open the list of matches and confirm a match', async () => {
  const [owner, finder] = await people(2);
  await newPost(owner, { posted_by: 'owner', title: 'Nimepoteza begi jekundu', description: '', location: 'Ilala' });
  const { id } = await newPost(finder, { posted_by: 'finder', title: 'Found a red bag', location: 'Temeke' });
  const [match] = await listMatches(finder, id);
  expect(match?.pair_id).toBeTruthy();
  expect(await answer(finder, match?.pair_id ?? '', 'confirm')).toBe(204);
  await expect.poll(async () => (await readMailbox(owner)).map((message) => message.type)).toContain('matching_post');
});

test('confirming and dismissing a match each make one database call', async () => {
  const { owner, lost, found } = await twoPosts();
  await judge(found, { [lost]: 'possible' });
  const pairId = await pairIdOf(owner, lost);
  await expectTrips(1, 204, 'POST', `/api/matches/${pairId}/confirm`, owner);
  await expectTrips(1, 204, 'POST', `/api/matches/${pairId}/dismiss`, owner);
});
