import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { PostEntry } from '#contract/posts.ts';
import { openDb } from '#worker/db/client.ts';
import { renewTexts } from '#worker/posts/index.ts';
import { call, newPerson, newPost, type Person } from './support/api.ts';
import { insertPosts } from './support/insert-posts.ts';

/** More than the newest that are looked through where the index lacks some, so that a search meets the gap on its way. */
const POSTS = 6_000;
const MARKED_EVERY = 300;
/** What one sweep renews. */
const RENEWED = 300;

let author: Person;

beforeAll(async () => {
  author = await newPerson();
  const titles = Array.from({ length: POSTS }, (_, at) => (at % MARKED_EVERY === 0 ? `Pochi qz ${at}` : `Kofia ${at}`));
  await insertPosts(author.id, titles);
}, 60_000);

/** As every post was before there was an index of letters. */
async function makeOld(): Promise<void> {
  await env.DB.prepare('update posts set search_version = 0').run();
}

async function countOld(): Promise<number> {
  return (await env.DB.prepare('select count(*) as n from posts where search_version = 0').first<number>('n')) ?? 0;
}

/** What the pages of a search show, to the last. */
async function findAll(search: string, viewer: Partial<Person> = {}): Promise<string[]> {
  const titles: string[] = [];
  let path: string | undefined = `/api/posts?search=${search}&limit=7`;
  for (let page = 0; path !== undefined; page++) {
    const answer: Response = await call('GET', path, undefined, viewer);
    titles.push(...(await answer.json<PostEntry[]>()).map(({ Post }) => Post.title));
    path = /<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1];
    expect(page).toBeLessThan(20);
  }
  return titles;
}

async function checkIndexes(): Promise<void> {
  for (const index of ['posts_search', 'posts_visitor_search', 'posts_letters'])
    await env.DB.prepare(`insert into ${index} (${index}, rank) values ('integrity-check', 1)`).run();
}

test('while the index is made anew in pieces, a search finds all there is, newest first and each once', async () => {
  const marked = Array.from({ length: POSTS / MARKED_EVERY }, (_, at) => `Pochi qz ${at * MARKED_EVERY}`).reverse();
  expect(await findAll('qz')).toEqual(marked);
  await makeOld();
  for (let sweep = 0; (await countOld()) > 0; sweep++) {
    // Before the first piece, while the newest have entries, once those reach beyond a page's look, and near the end.
    if ([0, 1, 10, 17, 18, 19].includes(sweep)) {
      expect(await findAll('qz'), `after ${sweep} sweeps`).toEqual(marked);
      expect(await findAll('qz', author), `after ${sweep} sweeps`).toEqual(marked);
      expect(await findAll('pochi%20qz'), `after ${sweep} sweeps`).toEqual(marked);
    }
    const left = await countOld();
    await renewTexts(openDb(env));
    expect(await countOld()).toBe(Math.max(0, left - RENEWED));
    expect(sweep).toBeLessThanOrEqual(POSTS / RENEWED);
  }
  expect(await findAll('qz')).toEqual(marked);
  await checkIndexes();
}, 120_000);

test('what is written, changed and deleted while the index is made anew is in it as it is', async () => {
  const [changed, deleted] = [await newPost(author, { title: 'Ndoo jx' }), await newPost(author, { title: 'Ndoo jy' })];
  await makeOld();
  const fresh = await newPost(author, { title: 'Ndoo jz' });
  await call('PUT', `/api/posts/${changed.id}`, { title: 'Ndoo xj', location: 'x', phone_number: '112' }, author);
  await call('DELETE', `/api/posts/${deleted.id}`, undefined, author);
  const find = async () => [await findAll('jx'), await findAll('xj'), await findAll('jy'), await findAll('jz')];
  const expected = [[], ['Ndoo xj'], [], [fresh.title]];
  expect(await find()).toEqual(expected);
  await renewTexts(openDb(env));
  expect(await find()).toEqual(expected);
  await checkIndexes();
});

test('what searches look through is made again by today’s rules, and found by them', async () => {
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
  await checkIndexes();
});
