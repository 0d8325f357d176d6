import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { DAY_MS } from '#contract/durations.ts';
import type { NoticeList } from '#contract/notices.ts';
import type { Post } from '#contract/posts.ts';
import { askAuthors, restPosts } from '#worker/ask-authors.ts';
import { openDb } from '#worker/db/client.ts';
import { undoFound } from '#worker/posts/end-store.ts';
import { call, newPerson, newPost } from './support/api.ts';

const db = openDb(env);

type Times = { created_at?: number; renewed_at?: number; times_asked?: number };

/** A post of somebody who is like nobody else, as it stands after those times. */
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

test('a post rests from the sixtieth day on, however often its author was asked, and is matched no more', async () => {
  const now = Date.now();
  const due = now - 60 * DAY_MS;
  const resting = await Promise.all([0, 1, 2].map((times_asked) => newPostOf({ created_at: due, times_asked })));
  const renewed = await newPostOf({ created_at: due - DAY_MS, renewed_at: due, times_asked: 2 });
  const open = [
    await newPostOf({ created_at: due + 1, times_asked: 2 }),
    await newPostOf({ created_at: due - DAY_MS, renewed_at: due + 1, times_asked: 2 }),
  ];
  await env.DB.prepare('update posts set match_pending_since = 1').run();
  await restPosts(env, db, now);
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
  for (const post of open) expect(await read(post)).toEqual({ due: 1, away_since: null, has_terms: 1, has_reading: 1 });
});

test('an author is asked from the fourteenth and from the forty-fifth day on, once for each', async () => {
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
  // Whoever is late for both questions is asked the last one alone.
  expect(results.map((row) => row.times_asked)).toEqual([0, 1, 1, 2, 2, 2]);
});

test('a marking is undone until ten minutes have passed, to the millisecond', async () => {
  const author = await newPerson();
  const viewer = { userId: author.id, tokenVersion: 1, sessionId: '' };
  const { id } = await newPost(author);
  const undoAfter = async (milliseconds: number) => {
    await call('PATCH', `/api/posts/${id}/found`, undefined, author);
    const foundAt = await env.DB.prepare('select found_at from posts where id = ?').bind(id).first<number>('found_at');
    return (await undoFound(db, viewer, id, Number(foundAt) + milliseconds))?.is_found;
  };
  expect(await undoAfter(600_001)).toBe(1);
  expect(await undoAfter(600_000)).toBe(0);
});

test('undoing the marking of a hidden post leaves it hidden, and matches it with nothing', async () => {
  const { id, author } = await newPostOf({});
  await call('PATCH', `/api/posts/${id}/found`, undefined, author);
  await env.DB.prepare('update posts set hidden_by = 4 where id = ?').bind(id).run();
  const undone = await call('DELETE', `/api/posts/${id}/found`, undefined, author);
  expect(await undone.json<Post>()).toMatchObject({ state: 'hidden', is_found: false });
  const row = await env.DB.prepare('select match_pending_since, outcome, found_at from posts where id = ?').bind(id);
  expect(await row.first()).toEqual({ match_pending_since: null, outcome: null, found_at: null });
});

test('one person’s end, undoing and waking touch no other post of theirs', async () => {
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
