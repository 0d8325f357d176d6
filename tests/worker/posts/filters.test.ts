import { env } from 'cloudflare:workers';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { DAY_MS } from '#contract/durations.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { PostEntry } from '#contract/posts.ts';
import { call, newPerson, newPost, type Person } from '#tests/worker/support/api.ts';
import { communityCodeOf, join, newApprovedCommunity } from '#tests/worker/support/communities.ts';

let member: Person;
let code: string;

/** One post each: its author's side, kind, whether it is found, place and age. */
const POSTS = [
  ['a', 'owner', 'bag', 'open', 'Mbezi Beach, Dar', 20],
  ['b', 'finder', 'bag', 'found', 'Mbezi Luis', 15],
  ['c', 'finder', 'key', 'open', 'Posta, karibu na 0612 345 678', 10],
  ['d', 'owner', 'key', 'found', 'Posta', 5],
  ['e', 'owner', 'bag', 'open', 'Moshi', 0],
] as const;
const NOW = Date.now();
const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString();

beforeAll(async () => {
  member = await newPerson();
  const { community } = await newApprovedCommunity();
  await join(community.access_code, member);
  code = await communityCodeOf(community.id, member);
  for (const community_code of [null, code]) {
    for (const [title, posted_by, kind, state, location, age] of POSTS) {
      const post = {
        title: `kichujio ${title}`,
        description: 'Mbezi mbali',
        posted_by,
        kind,
        location,
        community_code,
      };
      const { id } = await newPost(member, post);
      await env.DB.prepare('update posts set is_found = ?, created_at = ? where id = ?')
        .bind(state === 'found' ? 1 : 0, NOW - age * DAY_MS, id)
        .run();
    }
  }
});

const list = async (query: string, viewer: { token?: string } = {}) =>
  (await (await call('GET', `/api/posts?${query}`, undefined, viewer)).json<PostEntry[]>())
    .map(({ Post }) => Post.title.replace('kichujio ', ''))
    .join('');

const FILTERS = [
  ['kind=bag', 'eba'],
  ['kind=key&posted_by=owner', 'd'],
  ['kind=bag&open=1', 'ea'],
  ['kind=bag&open=1&posted_by=finder', ''],
  ['open=1', 'eca'],
  ['open=1&posted_by=finder', 'c'],
  [`since=${daysAgo(12)}`, 'edc'],
  [`since=${daysAgo(12)}&kind=key`, 'dc'],
  [`since=${daysAgo(12)}&open=1`, 'ec'],
  [`since=${daysAgo(12)}&posted_by=owner`, 'ed'],
  [`since=${daysAgo(12)}&kind=bag&open=1&posted_by=owner`, 'e'],
  [`since=${daysAgo(-1)}`, ''],
  [`since=${daysAgo(0)}`, 'e'],
  [`since=${daysAgo(5)}`, 'ed'],
  ['place=mbezi', 'ba'],
  ['place=MBEZI%20%20beach', 'a'],
  ['place=po', 'dc'],
  ['place=mbezi&kind=bag&open=1', 'a'],
  [`place=mbezi&since=${daysAgo(16)}`, 'b'],
  [`place=po&since=${daysAgo(7)}`, 'd'],
  ['place=mbezi&search=kichujio', 'ba'],
  ['place=mbezi&search=posta', ''],
  [`search=kichujio&kind=key&open=1&since=${daysAgo(11)}`, 'c'],
  ['kind=&place=&since=&open=', 'edcba'],
] as const;

test.each(FILTERS)('%s lists %s, newest first', async (query, titles) => {
  expect(await list(query)).toBe(titles);
  expect(await list(`${query}&community_code=${code}`, member)).toBe(titles);
  expect([...(await list(query, member))].sort()).toEqual([...titles, ...titles].sort());
});

test.each(FILTERS.filter(([, titles]) => titles.length > 1))(
  '%s has the same pages one by one',
  async (query, titles) => {
    const seen: string[] = [];
    let path: string | undefined = `/api/posts?${query}&limit=1`;
    while (path !== undefined) {
      const answer: Response = await call('GET', path);
      seen.push(...(await answer.json<PostEntry[]>()).map(({ Post }) => Post.title.replace('kichujio ', '')));
      path = /<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1];
    }
    expect(seen.join('')).toBe(titles);
  },
);

test('a filter by place does not reveal a hidden number', async () => {
  for (const place of ['0612', '12 345', '61']) {
    expect(await list(`place=${place}`)).toBe('');
    expect(await list(`place=${place}&community_code=${code}`, member)).toBe('c');
  }
});

async function deletePostsOf({ id }: Person): Promise<void> {
  await env.DB.prepare('delete from posts where author_id = ?').bind(id).run();
}

test('a bare date is midnight in Dar es Salaam, and so is a time without a zone', async () => {
  const author = await newPerson();
  onTestFinished(() => deletePostsOf(author));
  const { id } = await newPost(author, { title: 'usiku wa manane' });
  const at = (iso: string) =>
    env.DB.prepare('update posts set created_at = ? where id = ?').bind(Date.parse(iso), id).run();
  const isListed = async (since: string) => (await list(`search=manane&since=${encodeURIComponent(since)}`)) !== '';
  await at('2026-03-04T21:00:00.000Z');
  for (const since of ['2026-03-05', '2026-03-05T00:00', '2026-03-04T21:00:00Z', '2026-03-05T02:00:00+05:00'])
    expect(await isListed(since), since).toBe(true);
  await at('2026-03-04T20:59:59.999Z');
  for (const since of ['2026-03-05', '2026-03-05T00:00:00', '2026-03-04T21:00:00Z'])
    expect(await isListed(since), since).toBe(false);
});

test('a post in the requested time is listed although a later one has an earlier date', async () => {
  const author = await newPerson();
  onTestFinished(() => deletePostsOf(author));
  const since = Date.parse('2026-03-06T00:00:00Z');
  for (const ms of [60_000, 0, -1]) {
    const { id } = await newPost(author, { title: `saa tofauti ${ms}` });
    await env.DB.prepare('update posts set created_at = ? where id = ?')
      .bind(since + ms, id)
      .run();
  }
  expect(await list('search=tofauti&since=2026-03-06T00:00:00Z')).toBe('saa tofauti 0saa tofauti 60000');
});

test.each([
  ['kind', 'phone'],
  ['open', '0'],
  ['open', 'true'],
  ['since', 'yesterday'],
  ['since', '2026-02-30'],
  ['since', '1767225600'],
  ['place', 'x'.repeat(121)],
])('%s=%s is refused', async (field, value) => {
  const answer = await call('GET', `/api/posts?${field}=${value}`);
  expect(answer.status).toBe(422);
  expect((await answer.json<ErrorBody>()).errors).toEqual([{ field, message: expect.any(String) }]);
});
