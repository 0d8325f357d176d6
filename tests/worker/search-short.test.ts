import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import type { PostEntry } from '#contract/posts.ts';
import { call, newPerson, type Person } from './support/api.ts';
import { join, newApprovedCommunity } from './support/communities.ts';
import { insertPosts } from './support/insert-posts.ts';

/** How many of the newest posts that the viewer may see a search of one or two letters looks through. */
const LOOKED_AT = 1_000;

let author: Person;

beforeEach(async () => {
  await env.DB.exec('delete from posts');
  author = await newPerson();
});

const many = (count: number, title = 'Kofia'): string[] => Array.from({ length: count }, (_, at) => `${title} ${at}`);

/** The titles on all pages of a search, in order. */
async function findAll(query: string, viewer: Partial<Person> = {}): Promise<string[]> {
  const titles: string[] = [];
  let path: string | undefined = `/api/posts?${query}`;
  while (path !== undefined) {
    const answer: Response = await call('GET', path, undefined, viewer);
    expect(answer.status).toBe(200);
    titles.push(...(await answer.json<PostEntry[]>()).map(({ Post }) => Post.title));
    path = /<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1];
  }
  return titles;
}

test('a two-letter search finds a post among the newest 1,000 and no older one', async () => {
  await insertPosts(author.id, ['Pochi qz ya zamani', 'Pochi qz', ...many(LOOKED_AT - 1)]);
  const reader = await newPerson();
  for (const viewer of [{}, reader, author]) {
    expect(await findAll('search=QZ', viewer)).toEqual(['Pochi qz']);
    expect(await findAll('search=q%20z', viewer)).toEqual(['Pochi qz']);
    expect(await findAll('search=qz%20zq', viewer)).toEqual([]);
  }
});

test('posts that the viewer may not see are not among the newest 1,000', async () => {
  const { community } = await newApprovedCommunity();
  const member = await newPerson();
  await join(community.access_code, member);
  await insertPosts(author.id, ['Pochi qz', ...many(LOOKED_AT - 3)]);
  await insertPosts(author.id, many(3, 'Siri'));
  await insertPosts(author.id, many(3, 'Imefungwa'));
  await insertPosts(author.id, ['Kofia qz ya jumuiya', 'Kofia', 'Kofia'], { communityId: community.id });
  await env.DB.prepare("update posts set hidden_by = 1 where title like 'Siri%'").run();
  await env.DB.prepare("update posts set away_since = 1 where title like 'Imefungwa%'").run();
  expect(await findAll('search=qz')).toEqual(['Pochi qz']);
  expect(await findAll('search=qz', await newPerson())).toEqual(['Pochi qz']);
  // The community's three posts are newer, so one public post fewer is left for its member.
  expect(await findAll('search=qz', member)).toEqual(['Kofia qz ya jumuiya']);
});

test('the pages of a two-letter search show each post once, newest first, down to the 1,000th', async () => {
  const titles = many(LOOKED_AT + 100).map((title, at) => (at % 100 === 0 ? `${title} qz` : title));
  await insertPosts(author.id, titles);
  const expected = titles.filter((title, at) => at >= 100 && title.endsWith('qz')).reverse();
  for (const viewer of [{}, await newPerson()]) expect(await findAll('search=qz&limit=3', viewer)).toEqual(expected);
});

test('a two-letter search keeps to the other filters', async () => {
  await insertPosts(author.id, ['Pochi qz']);
  await insertPosts(author.id, ['Kofia qz'], { postedBy: 'owner' });
  expect(await findAll('search=qz&posted_by=owner')).toEqual(['Kofia qz']);
  expect(await findAll('search=qz&kind=bag')).toEqual([]);
  expect(await findAll('search=qz&since=2100-01-01')).toEqual([]);
  expect(await findAll('search=qz&place=ka')).toEqual(['Kofia qz', 'Pochi qz']);
  expect(await findAll('search=qz&place=qz')).toEqual([]);
});
