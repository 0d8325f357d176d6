import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { PostEntry } from '#contract/posts.ts';
import { openDb } from '#worker/db/client.ts';
import { renewTexts } from '#worker/posts/index.ts';
import { call, newPerson, newPost } from './support/api.ts';
import { insertPosts } from './support/insert-posts.ts';

/** What one sweep renews. */
const RENEWED = 300;

async function findAll(search: string): Promise<string[]> {
  const answer = await call('GET', `/api/posts?search=${search}`);
  return (await answer.json<PostEntry[]>()).map(({ Post }) => Post.title);
}

async function listOld(): Promise<string[]> {
  const { results } = await env.DB.prepare('select title from posts where search_version = 0 order by seq').all<{
    title: string;
  }>();
  return results.map(({ title }) => title);
}

test('a sweep renews the outdated search texts of the newest 300 posts', async () => {
  const author = await newPerson();
  const titles = Array.from({ length: RENEWED + 2 }, (_, at) => `Kofia ${at}`);
  await insertPosts(author.id, titles);
  await env.DB.prepare('update posts set search_version = 0').run();
  await renewTexts(openDb(env));
  expect(await listOld()).toEqual(titles.slice(0, 2));
  await renewTexts(openDb(env));
  expect(await listOld()).toEqual([]);
});

test('a post with a renewed search text is found by the new text alone', async () => {
  const author = await newPerson();
  const post = await newPost(author, { title: 'Cheti 0612864209', description: '' });
  await env.DB.prepare(
    "update posts set search_text = 'kale', reader_text = null, visitor_text = 'kale', search_version = 0 where id = ?",
  )
    .bind(post.id)
    .run();
  expect(await findAll('kale')).toEqual([post.title.replace('0612864209', '•••')]);
  await renewTexts(openDb(env));
  expect([await findAll('kale'), (await findAll('cheti')).length]).toEqual([[], 1]);
  expect(await findAll('0612864209')).toEqual([]);
  for (const index of ['posts_search', 'posts_visitor_search'])
    await env.DB.prepare(`insert into ${index} (${index}, rank) values ('integrity-check', 1)`).run();
});
