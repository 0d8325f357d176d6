import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { endOfDay } from '#worker/limits/day.ts';
import { postData } from '#worker/posts/index.ts';
import { call, newPerson, newPost, somePost } from './support/api.ts';
import { newReader } from './support/given-numbers.ts';

test('the export has one’s own posts, oldest first, whether they are away, and whose numbers one was given', async () => {
  const [author, other] = [await newReader('196.43.0.1'), await newReader('196.43.0.2')];
  const open = await newPost(author, { identifiers: ['ABC123'], claim_question: 'Nini?', private_marks: 'Doa' });
  const closed = await newPost(author, { title: 'Funguo' });
  await call('PUT', `/api/posts/${closed.id}/outcome`, { outcome: 'given_up' }, author);
  const [first, second] = [await newPost(other), await newPost(other)];
  for (const { id } of [second, first]) await call('GET', `/api/posts/${id}`, undefined, author);
  await call('GET', `/api/posts/${open.id}`, undefined, other);
  const until = new Date(endOfDay(Date.now())).toISOString().replace('.000', '');
  const { title, location, phone_number, description, posted_by } = somePost;
  expect(await postData.exportFor(openDb(env), author.id)).toMatchObject({
    posts: [
      { id: open.id, title, location, phone_number, description, posted_by, has_identifiers: 1, is_away: 0 },
      { id: closed.id, title: 'Funguo', outcome: 'given_up', has_identifiers: 0, is_away: 1, claim_question: null },
    ],
    numbers_given: [
      { until, post_id: first.id },
      { until, post_id: second.id },
    ],
  });
  expect(await postData.exportFor(openDb(env), other.id)).toMatchObject({
    posts: [{ id: first.id }, { id: second.id }],
    numbers_given: [{ until, post_id: open.id }],
  });
});

test('erasing one person’s posts, keys and numbers leaves those of others', async () => {
  const [leaver, other] = [await newReader('196.43.0.3'), await newReader('196.43.0.4')];
  for (const author of [leaver, other]) {
    const headers = { ...author.headers, 'Idempotency-Key': 'moja' };
    expect((await call('POST', '/api/posts', somePost, { ...author, headers })).status).toBe(201);
  }
  const theirs = await newPost(await newPerson());
  for (const reader of [leaver, other]) await call('GET', `/api/posts/${theirs.id}`, undefined, reader);
  const countOf = async (id: string) =>
    env.DB.prepare(
      `select (select count(*) from posts where author_id = ?1) as posts,
         (select count(*) from idempotency_keys where user_id = ?1) as keys,
         (select count(*) from given_numbers where reader_id = ?1) as numbers`,
    )
      .bind(id)
      .first();
  const db = openDb(env);
  for (const statement of postData.eraseFor(db, leaver.id)) await db.batch([statement]);
  expect(await countOf(leaver.id)).toEqual({ posts: 0, keys: 0, numbers: 0 });
  expect(await countOf(other.id)).toEqual({ posts: 1, keys: 1, numbers: 1 });
});
