import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { DAY_MS } from '#contract/durations.ts';
import { POST_ASKED_AFTER_DAYS, POST_RESTS_AFTER_DAYS } from '#contract/limits.ts';
import type { NoticeList } from '#contract/notices.ts';
import {
  CLOSING_OUTCOMES,
  OUTCOMES,
  type Outcome,
  type Post,
  type PostEntry,
  RETURNING_OUTCOMES,
} from '#contract/posts.ts';
import { restPosts } from '#worker/ask-authors.ts';
import { openDb } from '#worker/db/client.ts';
import { sweep } from '#worker/sweep.ts';
import { call, newPerson, newPost, somePost } from './support/api.ts';
import { connect, lostAndFound, newPeople, type Somebody, settled } from './support/live.ts';

type Author = { token: string };

async function twoPeople(): Promise<[Somebody, Somebody]> {
  return (await newPeople(2)) as [Somebody, Somebody];
}

async function end(author: Author, postId: string, outcome: Outcome): Promise<Response> {
  return call('PUT', `/api/posts/${postId}/outcome`, { outcome }, author);
}

function wake(author: Author, postId: string): Promise<Response> {
  return call('POST', `/api/posts/${postId}/wake`, undefined, author);
}

async function stateOf(author: Author, postId: string): Promise<Post['state']> {
  return (await (await call('GET', `/api/posts/${postId}`, undefined, author)).json<Post>()).state;
}

/** As if nobody had said anything of the post for so many days. */
async function letRest(postId: string, days: number): Promise<void> {
  await env.DB.prepare('update posts set created_at = ?1, renewed_at = iif(renewed_at is null, null, ?1) where id = ?2')
    .bind(Date.now() - days * DAY_MS, postId)
    .run();
}

async function questionsOf(person: Author, postId: string) {
  const { notices } = await (await call('GET', '/api/notices', undefined, person)).json<NoticeList>();
  return notices.filter(({ message }) => message.type === 'still_looking' && message.post_id === postId);
}

async function listedIds(person?: Author): Promise<string[]> {
  const entries = await (await call('GET', '/api/posts?limit=100', undefined, person)).json<PostEntry[]>();
  return entries.map(({ Post: { id } }) => id);
}

test.each(RETURNING_OUTCOMES)('%s means that the thing is back', async (outcome) => {
  const [author, reader] = await twoPeople();
  const { id } = await newPost(author);
  const ended = await (await end(author, id, outcome)).json<Post>();
  expect(ended).toMatchObject({ state: 'returned', is_found: true, rests_at: null });
  expect(await (await call('GET', `/api/posts/${id}`, undefined, reader)).json()).toMatchObject({ state: 'returned' });
  expect(await listedIds(reader)).toContain(id);
});

test.each(CLOSING_OUTCOMES)('%s closes the post: its author alone sees it, and opens it again', async (outcome) => {
  const [author, reader] = await twoPeople();
  const { id } = await newPost(author);
  const ended = await (await end(author, id, outcome)).json<Post>();
  expect(ended).toMatchObject({ state: 'closed', is_found: false, rests_at: null });
  expect((await call('GET', `/api/posts/${id}`, undefined, reader)).status).toBe(404);
  expect((await call('GET', `/api/posts/${id}`)).status).toBe(404);
  for (const person of [undefined, reader, author]) expect(await listedIds(person)).not.toContain(id);
  const own = await (await call('GET', '/api/posts/by-owner', undefined, author)).json<PostEntry[]>();
  expect(own.map(({ Post: { id: ownId, state } }) => [ownId, state])).toEqual([[id, 'closed']]);
  expect(await (await wake(author, id)).json<Post>()).toMatchObject({ state: 'open', is_found: false });
  expect(await listedIds(reader)).toContain(id);
});

test('an outcome is one of six, and the author alone says it', async () => {
  const [author, reader] = await twoPeople();
  const { id } = await newPost(author);
  for (const outcome of [undefined, null, '', 'sold', 7])
    expect((await call('PUT', `/api/posts/${id}/outcome`, { outcome }, author)).status).toBe(422);
  expect((await end(reader, id, 'other')).status).toBe(403);
  expect((await wake(reader, id)).status).toBe(403);
  expect((await end(reader, crypto.randomUUID(), 'other')).status).toBe(404);
  expect(await stateOf(author, id)).toBe('open');
});

test('what is returned is not closed any more, what is closed may still come back', async () => {
  const author = await newPerson();
  const { id } = await newPost(author);
  await end(author, id, 'given_up');
  expect(await (await end(author, id, 'with_police')).json<Post>()).toMatchObject({ state: 'closed' });
  expect(await (await end(author, id, 'returned')).json<Post>()).toMatchObject({ state: 'returned' });
  expect(await (await end(author, id, 'found_it_myself')).json<Post>()).toMatchObject({ state: 'returned' });
  expect((await end(author, id, 'other')).status).toBe(409);
  expect((await wake(author, id)).status).toBe(409);
  expect(await stateOf(author, id)).toBe('returned');
});

test.each(RETURNING_OUTCOMES)('%s is undone for ten minutes from the first marking on', async (outcome) => {
  const author = await newPerson();
  const { id } = await newPost(author);
  await end(author, id, outcome);
  await env.DB.prepare('update posts set found_at = found_at - 599000 where id = ?').bind(id).run();
  await end(author, id, outcome);
  const undone = await call('DELETE', `/api/posts/${id}/found`, undefined, author);
  expect(await undone.json<Post>()).toMatchObject({ state: 'open', is_found: false });
  await end(author, id, outcome);
  await env.DB.prepare('update posts set found_at = found_at - 601000 where id = ?').bind(id).run();
  expect((await call('DELETE', `/api/posts/${id}/found`, undefined, author)).status).toBe(409);
});

test('undoing on an open or closed post changes nothing', async () => {
  const author = await newPerson();
  const { id } = await newPost(author);
  for (const state of ['open', 'closed']) {
    const undone = await call('DELETE', `/api/posts/${id}/found`, undefined, author);
    expect([undone.status, (await undone.json<Post>()).state]).toEqual([200, state]);
    await end(author, id, 'other');
  }
});

/** What the two describe is the same phone; the finder's was posted last, so that the owner is told of it. */
async function pairOf(owner: Somebody, finder: Somebody): Promise<{ lost: Post; found: Post }> {
  const texts = lostAndFound();
  const lost = await newPost(owner, { ...texts.lost, posted_by: 'owner' });
  return { lost, found: await newPost(finder, { ...texts.found, posted_by: 'finder' }) };
}

async function matchIds(author: Author, postId: string): Promise<string[]> {
  const matches = await (await call('GET', `/api/posts/${postId}/matches`, undefined, author)).json<PostEntry[]>();
  return matches.map(({ Post: { id } }) => id);
}

test('a closed post matches nothing, and who had not read of it is told again once it is open', async () => {
  const [owner, finder] = await twoPeople();
  const { lost, found } = await pairOf(owner, finder);
  const told = async () => {
    const { notices, unread_count } = await (await call('GET', '/api/notices', undefined, owner)).json<NoticeList>();
    return [notices.map(({ message }) => message.type === 'matching_post' && message.post_id), unread_count];
  };
  await expect.poll(told).toEqual([[found.id], 1]);
  await end(finder, found.id, 'with_office');
  await expect.poll(told).toEqual([[], 0]);
  expect(await matchIds(owner, lost.id)).not.toContain(found.id);
  expect(await matchIds(finder, found.id)).toEqual([]);
  await wake(finder, found.id);
  await expect.poll(told).toEqual([[found.id], 1]);
  await expect.poll(() => matchIds(owner, lost.id)).toContain(found.id);
});

test('what nobody had read of a post is withdrawn when it rests, and told again once it is woken', async () => {
  const [owner, finder] = await twoPeople();
  const { found } = await pairOf(owner, finder);
  const heard = async () => {
    const live = await connect(owner);
    await settled(live);
    live.socket.close();
    return live.messages.map((message) => message.type === 'matching_post' && message.post_id);
  };
  await expect.poll(heard).toEqual([found.id]);
  await letRest(found.id, POST_RESTS_AFTER_DAYS + 1);
  await restPosts(env, openDb(env), Date.now());
  expect(await heard()).toEqual([]);
  await wake(finder, found.id);
  await expect.poll(heard).toEqual([found.id]);
});

test('a post rests once 60 days have passed, not a day before, and one tap brings it back', async () => {
  const [author, reader] = await twoPeople();
  const { id, rests_at } = await newPost(author);
  expect(Date.parse(rests_at ?? '') - Date.now()).toBeGreaterThan((POST_RESTS_AFTER_DAYS - 1) * DAY_MS);
  await letRest(id, POST_RESTS_AFTER_DAYS - 1);
  await sweep(env);
  expect(await stateOf(author, id)).toBe('open');
  await letRest(id, POST_RESTS_AFTER_DAYS + 1);
  await sweep(env);
  expect(await stateOf(author, id)).toBe('resting');
  expect((await call('GET', `/api/posts/${id}`, undefined, reader)).status).toBe(404);
  expect(await listedIds(reader)).not.toContain(id);
  const woken = await (await wake(author, id)).json<Post>();
  expect(woken.state).toBe('open');
  expect(Date.parse(woken.rests_at ?? '') - Date.now()).toBeGreaterThan((POST_RESTS_AFTER_DAYS - 1) * DAY_MS);
  await sweep(env);
  expect(await stateOf(author, id)).toBe('open');
  expect(await listedIds(reader)).toContain(id);
});

test('who edits a resting post wakes it, a closed one stays closed', async () => {
  const author = await newPerson();
  const [resting, closed] = [await newPost(author), await newPost(author)];
  await letRest(resting.id, POST_RESTS_AFTER_DAYS + 1);
  await restPosts(env, openDb(env), Date.now());
  await end(author, closed.id, 'other');
  for (const [id, before, after] of [
    [resting.id, 'resting', 'open'],
    [closed.id, 'closed', 'closed'],
  ] as const) {
    expect(await stateOf(author, id)).toBe(before);
    expect((await call('PUT', `/api/posts/${id}`, somePost, author)).status).toBe(200);
    expect(await stateOf(author, id)).toBe(after);
  }
});

test('an edit begins the time anew', async () => {
  const author = await newPerson();
  const { id } = await newPost(author);
  await letRest(id, POST_RESTS_AFTER_DAYS + 1);
  await call('PUT', `/api/posts/${id}`, somePost, author);
  await sweep(env);
  expect(await stateOf(author, id)).toBe('open');
  expect(await questionsOf(author, id)).toEqual([]);
});

test('its author is asked after 14 and after 45 days, once each, however often the sweep comes', async () => {
  const author = await newPerson();
  const { id } = await newPost(author);
  for (const [days, questions] of [
    [13, 0],
    [15, 1],
    [44, 1],
    [46, 2],
    [59, 2],
  ] as const) {
    await letRest(id, days);
    await Promise.all([sweep(env), sweep(env)]);
    await sweep(env);
    expect([days, (await questionsOf(author, id)).length]).toEqual([days, questions]);
  }
  const [question] = await questionsOf(author, id);
  expect(question?.message).toEqual({
    type: 'still_looking',
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    post_id: id,
    title: somePost.title,
    created_at: question?.noticed_at,
  });
});

test('whoever was late for the first question is asked the second alone', async () => {
  const author = await newPerson();
  const { id } = await newPost(author);
  await letRest(id, 50);
  await sweep(env);
  await sweep(env);
  expect(await questionsOf(author, id)).toHaveLength(1);
});

test('an answer takes the question back, and asks again after as long', async () => {
  const author = await newPerson();
  const { id } = await newPost(author);
  await letRest(id, 15);
  await sweep(env);
  expect(await questionsOf(author, id)).toHaveLength(1);
  await wake(author, id);
  await expect.poll(() => questionsOf(author, id)).toEqual([]);
  await letRest(id, 15);
  await sweep(env);
  expect(await questionsOf(author, id)).toHaveLength(1);
  await end(author, id, 'given_up');
  await expect.poll(() => questionsOf(author, id)).toEqual([]);
});

test('nobody is asked of what is hidden, returned or closed, and none of it rests', async () => {
  const author = await newPerson();
  const [hidden, returned, closed] = [await newPost(author), await newPost(author), await newPost(author)];
  await env.DB.prepare('update posts set hidden_by = 4 where id = ?').bind(hidden.id).run();
  await end(author, returned.id, 'returned');
  await end(author, closed.id, 'other');
  for (const days of [...POST_ASKED_AFTER_DAYS, POST_RESTS_AFTER_DAYS]) {
    for (const { id } of [hidden, returned, closed]) await letRest(id, days + 1);
    await sweep(env);
  }
  for (const { id } of [hidden, returned, closed]) expect(await questionsOf(author, id)).toEqual([]);
  expect(await stateOf(author, hidden.id)).toBe('hidden');
  expect((await wake(author, hidden.id)).status).toBe(409);
  expect(await stateOf(author, returned.id)).toBe('returned');
  expect(await stateOf(author, closed.id)).toBe('closed');
});

test('of twenty who say at once how it ended, and wake it, each finds a state that the contract knows', async () => {
  const author = await newPerson();
  const { id } = await newPost(author);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      index % 4 === 3 ? wake(author, id) : end(author, id, OUTCOMES[index % OUTCOMES.length] ?? 'other'),
    ),
  );
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  // Returned stays returned, whoever came after it.
  expect(await stateOf(author, id)).toBe('returned');
});
