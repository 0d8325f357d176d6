import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
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
import { call, newPerson, newPost, somePost } from '#tests/worker/support/api.ts';
import { connect, lostAndFound, newPeople, type Somebody, settled } from '#tests/worker/support/notices.ts';
import { openDb } from '#worker/db/client.ts';
import { askAuthors, restUnansweredPosts } from '#worker/posts/ask-and-rest.ts';
import { writeUndo } from '#worker/posts/end-post.ts';
import { sweep } from '#worker/sweep.ts';

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

/** Sets the times of the post's creation and of its last edit or reopening to this many days ago. */
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

test.each(RETURNING_OUTCOMES)('setting the outcome %s marks a post as returned', async (outcome) => {
  const [author, reader] = await twoPeople();
  const { id } = await newPost(author);
  const ended = await (await end(author, id, outcome)).json<Post>();
  expect(ended).toMatchObject({ state: 'returned', is_found: true, rests_at: null });
  expect(await (await call('GET', `/api/posts/${id}`, undefined, reader)).json()).toMatchObject({ state: 'returned' });
  expect(await listedIds(reader)).toContain(id);
});

test.each(CLOSING_OUTCOMES)(
  'setting the outcome %s closes a post: only its author sees the closed post, and can open it again',
  async (outcome) => {
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
  },
);

test('only a post’s author can set the outcome of the post, and only to one of the known outcomes', async () => {
  const [author, reader] = await twoPeople();
  const { id } = await newPost(author);
  for (const outcome of [undefined, null, '', 'sold', 7])
    expect((await call('PUT', `/api/posts/${id}/outcome`, { outcome }, author)).status).toBe(422);
  expect((await end(reader, id, 'other')).status).toBe(403);
  expect((await wake(reader, id)).status).toBe(403);
  expect((await end(reader, crypto.randomUUID(), 'other')).status).toBe(404);
  expect(await stateOf(author, id)).toBe('open');
});

test('a returned post cannot be closed, and a closed post can be marked as returned', async () => {
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

test.each(RETURNING_OUTCOMES)(
  'a return marked with the outcome %s can be undone for ten minutes, and not later',
  async (outcome) => {
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
  },
);

test('undoing a return succeeds and changes nothing if the post is open or closed', async () => {
  const author = await newPerson();
  const { id } = await newPost(author);
  for (const state of ['open', 'closed']) {
    const undone = await call('DELETE', `/api/posts/${id}/found`, undefined, author);
    expect([undone.status, (await undone.json<Post>()).state]).toEqual([200, state]);
    await end(author, id, 'other');
  }
});

/** Creates two posts about the same phone. The finder's post is the newer one, so the owner is notified. */
async function pairOf(owner: Somebody, finder: Somebody): Promise<{ lost: Post; found: Post }> {
  const texts = lostAndFound();
  const lost = await newPost(owner, { ...texts.lost, posted_by: 'owner' });
  return { lost, found: await newPost(finder, { ...texts.found, posted_by: 'finder' }) };
}

async function matchIds(author: Author, postId: string): Promise<string[]> {
  const matches = await (await call('GET', `/api/posts/${postId}/matches`, undefined, author)).json<PostEntry[]>();
  return matches.map(({ Post: { id } }) => id);
}

test('a closed post is not matched, and its unread match notices are sent again once the post is reopened', async () => {
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

test('unread notices about a post are withdrawn when the post rests, and sent again once it is reopened', async () => {
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
  await restUnansweredPosts(env, openDb(env), Date.now());
  expect(await heard()).toEqual([]);
  await wake(finder, found.id);
  await expect.poll(heard).toEqual([found.id]);
});

test('a post rests after 60 days, not after 59, and one request of its author opens the post again', async () => {
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

test('editing a resting post opens it again, and editing a closed post keeps it closed', async () => {
  const author = await newPerson();
  const [resting, closed] = [await newPost(author), await newPost(author)];
  await letRest(resting.id, POST_RESTS_AFTER_DAYS + 1);
  await restUnansweredPosts(env, openDb(env), Date.now());
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

test('an edit of a post restarts the sixty days after which the post rests', async () => {
  const author = await newPerson();
  const { id } = await newPost(author);
  await letRest(id, POST_RESTS_AFTER_DAYS + 1);
  await call('PUT', `/api/posts/${id}`, somePost, author);
  await sweep(env);
  expect(await stateOf(author, id)).toBe('open');
  expect(await questionsOf(author, id)).toEqual([]);
});

test('the scheduled job asks a post’s author once after 14 days and once after 45 days whether the post is still current', async () => {
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

test('if the questions of day 14 and day 45 are both due, the author is asked only once whether the post is still current', async () => {
  const author = await newPerson();
  const { id } = await newPost(author);
  await letRest(id, 50);
  await sweep(env);
  await sweep(env);
  expect(await questionsOf(author, id)).toHaveLength(1);
});

test('an author’s answer withdraws the question whether the post is still current; the author is asked again 14 days later', async () => {
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

test('a hidden, returned or closed post does not rest, and its author is not asked whether the post is still current', async () => {
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

test('a post that is concurrently closed, returned and reopened always ends in a valid state', async () => {
  const author = await newPerson();
  const { id } = await newPost(author);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      index % 4 === 3 ? wake(author, id) : end(author, id, OUTCOMES[index % OUTCOMES.length] ?? 'other'),
    ),
  );
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  // Once one request has marked the post as returned, the other requests cannot close or reopen it.
  expect(await stateOf(author, id)).toBe('returned');
});

describe('resting, returned and closed posts', () => {
  const db = openDb(env);

  type Times = { created_at?: number; renewed_at?: number; times_asked?: number };

  /** Creates a post by a new person. Sets its times, and how often its author was asked whether it is still current. */
  async function newPostOf(times: Times): Promise<{ id: string; author: { token: string } }> {
    const author = await newPerson();
    const { id } = await newPost(author);
    for (const [column, value] of Object.entries(times))
      await env.DB.prepare(`update posts set ${column} = ? where id = ?`).bind(value, id).run();
    return { id, author };
  }

  async function stateOf({ id, author }: { id: string; author: { token: string } }): Promise<Post['state']> {
    return (await (await call('GET', `/api/posts/${id}`, undefined, author)).json<Post>()).state;
  }

  async function countQuestions({ author }: { author: { token: string } }): Promise<number> {
    const { notices } = await (await call('GET', '/api/notices', undefined, author)).json<NoticeList>();
    return notices.filter(({ message }) => message.type === 'still_looking').length;
  }

  test('a post rests and is no longer matched from day 60 on, however often its author was asked whether it is still current', async () => {
    const now = Date.now();
    const due = now - 60 * DAY_MS;
    const resting = await Promise.all([0, 1, 2].map((times_asked) => newPostOf({ created_at: due, times_asked })));
    const renewed = await newPostOf({ created_at: due - DAY_MS, renewed_at: due, times_asked: 2 });
    const open = [
      await newPostOf({ created_at: due + 1, times_asked: 2 }),
      await newPostOf({ created_at: due - DAY_MS, renewed_at: due + 1, times_asked: 2 }),
    ];
    await env.DB.prepare('update posts set match_pending_since = 1').run();
    await restUnansweredPosts(env, db, now);
    for (const post of [...resting, renewed]) expect(await stateOf(post)).toBe('resting');
    for (const post of open) expect(await stateOf(post)).toBe('open');
    const read = async (post: { id: string }) =>
      env.DB.prepare(
        `select match_pending_since as due, away_since,
         exists (select 1 from match_terms where post_seq = p.seq) as has_terms,
         exists (select 1 from match_readings where post_seq = p.seq) as has_reading
       from posts p where id = ?`,
      )
        .bind(post.id)
        .first();
    expect(await read(renewed)).toEqual({ due: null, away_since: now, has_terms: 0, has_reading: 0 });
    for (const post of open)
      expect(await read(post)).toEqual({ due: 1, away_since: null, has_terms: 1, has_reading: 1 });
  });

  test('an author is asked twice whether a post is still current: once from day 14 on, once from day 45 on', async () => {
    const now = Date.now();
    const [early, first, between, second, late, never] = [
      await newPostOf({ created_at: now - 14 * DAY_MS + 1 }),
      await newPostOf({ created_at: now - 14 * DAY_MS }),
      await newPostOf({ created_at: now - 45 * DAY_MS + 1, times_asked: 1 }),
      await newPostOf({ created_at: now - 60 * DAY_MS, renewed_at: now - 45 * DAY_MS, times_asked: 1 }),
      await newPostOf({ created_at: now - 45 * DAY_MS }),
      await newPostOf({ created_at: now - 45 * DAY_MS, times_asked: 2 }),
    ];
    for (let sweep = 0; sweep < 2; sweep++) await askAuthors(env, db, now);
    const all = [early, first, between, second, late, never];
    expect(await Promise.all(all.map(countQuestions))).toEqual([0, 1, 0, 1, 1, 0]);
    const { results } = await env.DB.prepare(
      'select p.times_asked from json_each(?) j join posts p on p.id = j.value order by j.key',
    )
      .bind(JSON.stringify(all.map(({ id }) => id)))
      .all<{ times_asked: number }>();
    // If both questions are due, the author gets only the second one.
    expect(results.map((row) => row.times_asked)).toEqual([0, 1, 1, 2, 2, 2]);
  });

  test('an author who edits a post is asked again, 14 days later, whether the post is still current', async () => {
    const post = await newPostOf({ created_at: Date.now() - 50 * DAY_MS, times_asked: 2 });
    const edited = { ...somePost, title: 'Simu ya Tecno nyekundu' };
    expect((await call('PUT', `/api/posts/${post.id}`, edited, post.author)).status).toBe(200);
    await askAuthors(env, db, Date.now() + 14 * DAY_MS);
    expect(await countQuestions(post)).toBe(1);
  });

  test('marking a post as returned can be undone for ten minutes', async () => {
    const author = await newPerson();
    const viewer = { userId: author.id, tokenVersion: 1, sessionId: '' };
    const { id } = await newPost(author);
    const undoAfter = async (milliseconds: number) => {
      await call('PATCH', `/api/posts/${id}/found`, undefined, author);
      const foundAt = await env.DB.prepare('select found_at from posts where id = ?')
        .bind(id)
        .first<number>('found_at');
      return (await writeUndo(db, viewer, id, Number(foundAt) + milliseconds))?.is_found;
    };
    expect(await undoAfter(600_001)).toBe(1);
    expect(await undoAfter(600_000)).toBe(0);
  });

  test('if the return of a hidden post is undone, the post stays hidden and is not matched with other posts', async () => {
    const { id, author } = await newPostOf({});
    await call('PATCH', `/api/posts/${id}/found`, undefined, author);
    await env.DB.prepare('update posts set hidden_by = 4 where id = ?').bind(id).run();
    const undone = await call('DELETE', `/api/posts/${id}/found`, undefined, author);
    expect(await undone.json<Post>()).toMatchObject({ state: 'hidden', is_found: false });
    const row = await env.DB.prepare('select match_pending_since, outcome, found_at from posts where id = ?').bind(id);
    expect(await row.first()).toEqual({ match_pending_since: null, outcome: null, found_at: null });
  });

  test('closing one post, undoing its return or reopening it changes no other post of the author', async () => {
    const author = await newPerson();
    const [one, returned, closed] = [await newPost(author), await newPost(author), await newPost(author)];
    const act = (method: string, path: string, body?: unknown) => call(method, `/api/posts/${path}`, body, author);
    const rowsOf = async () =>
      (
        await env.DB.prepare(
          'select id, is_found, found_at, outcome, away_since, renewed_at from posts where id in (?, ?) order by seq',
        )
          .bind(returned.id, closed.id)
          .all()
      ).results;
    await act('PATCH', `${returned.id}/found`);
    await act('PUT', `${closed.id}/outcome`, { outcome: 'other' });
    const before = await rowsOf();
    for (const outcome of ['given_up', 'found_it_myself']) {
      expect((await act('PUT', `${one.id}/outcome`, { outcome })).status).toBe(200);
      expect(await rowsOf()).toEqual(before);
    }
    expect((await act('DELETE', `${one.id}/found`)).status).toBe(200);
    expect((await act('POST', `${one.id}/wake`)).status).toBe(200);
    expect(await rowsOf()).toEqual(before);
  });
});
