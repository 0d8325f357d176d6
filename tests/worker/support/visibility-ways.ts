import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { CommunityStats } from '#contract/communities.ts';
import type { ReportedPost } from '#contract/moderation.ts';
import type { Post, PostEntry } from '#contract/posts.ts';
import { openDb } from '#worker/db/client.ts';
import { exportPerson } from '#worker/leaving/export-account.ts';
import { somePost } from './api.ts';
import {
  CLAIM_WAYS,
  claimEach,
  countMatches,
  countUnread,
  judgeMatchesAnew,
  listed,
  listenToSocket,
  lookAtMatches,
  MEMBERS,
  maySee,
  newestFirst,
  ownOf,
  PAGE_WAYS,
  presented,
  readNotices,
  refusal,
  toldOf,
} from './visibility-oracle.ts';
import {
  askApp,
  callerFor,
  type PlaceName,
  read,
  type ViewerName,
  type Way,
  type World,
  type WorldPost,
} from './visibility-world.ts';

async function expectEntries(viewer: ViewerName, world: World, path: string, expected: WorldPost[]): Promise<void> {
  const found = path.includes('search=') ? { found_by: 'words' } : {};
  const answer = await read(viewer, world, path);
  expect([path, answer.status]).toEqual([path, 200]);
  const entries = expected.map((post) => ({ Post: presented(viewer, post), ...found }));
  expect(await answer.json<PostEntry[]>(), path).toEqual(entries);
}

const ofKind = (posts: WorldPost[], kind: string) => posts.filter(({ input }) => input.posted_by === kind);

/** Checks `GET /posts` with and without the filter `posted_by`, and with every kind of search. */
const lookThroughLists: Way = async (viewer, world) => {
  const all = listed(viewer, world.posts);
  const lists: [query: string, posts: WorldPost[]][] = [
    ['', all],
    ['?posted_by=owner', ofKind(all, 'owner')],
    ['?posted_by=finder', ofKind(all, 'finder')],
    ['?search=kariakoo', all],
    ['?search=kariakoo%20te', all],
    ['?search=kariakoo&posted_by=owner', ofKind(all, 'owner')],
    ['?search=te', all],
    ['?search=te&posted_by=finder', ofKind(all, 'finder')],
    ...world.posts.flatMap((post): [string, WorldPost[]][] => [
      [`?search=${post.mark}`, all.includes(post) ? [post] : []],
      [`?search=${encodeURIComponent(post.input.phone_number)}`, []],
    ]),
  ];
  for (const [query, posts] of lists) await expectEntries(viewer, world, `/posts${query}`, posts);
  await expectMeant(viewer, world, '/posts?', all);
  await expectMeant(viewer, world, '/posts?posted_by=finder&', ofKind(all, 'finder'));
};

/** Words that no post contains. By their meaning, all posts match `handset` and `dsm`, and no post matches `qwrtpq`. */
const MEANT = { meaning: 'handset dsm', near: 'handset dsm qwrtpq' };
const NEAR_MAX = 20;

/** Checks that a search by meaning finds the listed posts, and never a hidden post, even if the viewer may see it. */
async function expectMeant(viewer: ViewerName, world: World, path: string, posts: WorldPost[]): Promise<void> {
  const shown = posts.filter(({ hiddenBy }) => hiddenBy === null);
  for (const [part, words] of Object.entries(MEANT)) {
    const answer = await read(viewer, world, `${path}search=${encodeURIComponent(words)}&limit=100`);
    const found = (await answer.json<PostEntry[]>()).map(({ Post, found_by }) => ({ Post, found_by }));
    const expected = part === 'near' ? shown.slice(0, NEAR_MAX) : shown;
    expect(found, part).toEqual(expected.map((post) => ({ Post: presented(viewer, post), found_by: part })));
  }
}

const turnPages: Way = async (viewer, world) => {
  const seen: string[] = [];
  for (let next: string | undefined = '/posts?limit=3'; next !== undefined; ) {
    const page: Response = await read(viewer, world, next);
    seen.push(...(await page.json<PostEntry[]>()).map(({ Post: { id } }) => id));
    next = /<\/api([^>]+)>/.exec(page.headers.get('Link') ?? '')?.[1];
  }
  expect(seen).toEqual(listed(viewer, world.posts).map(({ id }) => id));
};

/** Checks that only members find a community's posts, by its `community_code` or access code (docs/product.md, V1). */
const lookIntoCommunities: Way = async (viewer, world) => {
  for (const name of Object.keys(world.places) as PlaceName[]) {
    const inside = listed(viewer, world.posts).filter(({ place }) => place === name);
    const { code, accessCode } = world.places[name];
    const queries: [query: string, posts: WorldPost[]][] = [
      [code, inside],
      [accessCode, inside],
      [`${code}&posted_by=finder`, ofKind(inside, 'finder')],
      [`${code}&search=kariakoo`, inside],
      [`${accessCode}&search=te`, inside],
      [`${code}&search=kariakoo&posted_by=finder`, ofKind(inside, 'finder')],
    ];
    for (const [query, posts] of queries) {
      const path = `/posts?community_code=${query}`;
      if (MEMBERS[name].includes(viewer)) await expectEntries(viewer, world, path, posts);
      else expect((await read(viewer, world, path)).status).toBe(viewer === 'visitor' ? 401 : 403);
    }
    if (MEMBERS[name].includes(viewer)) await expectMeant(viewer, world, `/posts?community_code=${code}&`, inside);
  }
};

const openEach: Way = async (viewer, world) => {
  for (const post of world.posts) {
    const answer = await read(viewer, world, `/posts/${post.id}`);
    expect([post.name, answer.status]).toEqual([post.name, maySee(viewer, post) ? 200 : 404]);
    if (answer.ok) expect(await answer.json()).toEqual(presented(viewer, post));
  }
};

/** Checks an action that only a post's author may take: other viewers are refused, and see nothing of the post. */
function beRefused(method: string, path: string): Way {
  return async (viewer, world) => {
    for (const post of world.posts.filter(({ author, fate }) => author !== viewer || fate === 'deleted')) {
      const body = method === 'PUT' ? { ...post.input, community_code: null, outcome: 'other' } : undefined;
      const answer = await askApp(method, `/api/posts/${post.id}${path}`, { ...callerFor(viewer, world), body });
      expect([post.name, answer.status]).toEqual([post.name, refusal(viewer, post)]);
      expect(await answer.text()).not.toContain(post.mark);
    }
  };
}

/** All viewers create a post with the same idempotency key. Each viewer's repeated request returns their own post. */
const postByOneKey: Way = async (viewer, world) => {
  const body = { ...somePost, title: `Ufunguo wa ${viewer}` };
  const request = { ...callerFor(viewer, world), body, headers: { 'Idempotency-Key': 'ufunguo-wa-wote' } };
  const first = await askApp('POST', '/api/posts', request);
  if (viewer === 'visitor') return expect(first.status).toBe(401);
  const post = await first.json<Post>();
  expect(post).toMatchObject({ title: body.title, is_mine: true });
  expect(await (await askApp('POST', '/api/posts', request)).json()).toEqual(post);
  await askApp('DELETE', `/api/posts/${post.id}`, callerFor(viewer, world));
};

const exportOwnData: Way = async (viewer, world) => {
  if (viewer === 'visitor') return;
  const { id } = world.people[viewer];
  const data = await exportPerson(openDb(env), id);
  // Omits the blocks: each contains the title of the post whose author the viewer blocked.
  const text = JSON.stringify({ ...data, blocks: null });
  const own = ownOf(viewer, world.posts).reverse();
  expect(data.posts.map((post) => [post.id, post.phone_number])).toEqual(own.map((p) => [p.id, p.input.phone_number]));
  const told = toldOf(viewer, world.posts).map(({ post }) => post);
  for (const post of world.posts.filter(({ author }) => author !== viewer))
    expect([post.name, text.includes(post.mark)]).toEqual([post.name, told.includes(post)]);
};

/** Checks that only a community's admins read its statistics (docs/product.md V28). */
const readStats: Way = async (viewer, world) => {
  for (const name of Object.keys(world.places) as PlaceName[]) {
    const answer = await read(viewer, world, `/communities/${world.places[name].id}/stats`);
    const isAdmin = viewer === (name === 'inside' ? 'communityAdmin' : 'pendingCreator');
    if (!isAdmin) {
      const outside = viewer === 'visitor' ? 401 : 404;
      expect(answer.status).toBe(MEMBERS[name].includes(viewer) ? 403 : outside);
      continue;
    }
    const inside = newestFirst(world.posts).filter(({ place }) => place === name);
    const stats = await answer.json<CommunityStats>();
    expect(stats).toMatchObject({
      total_posts: inside.length,
      found_items: ofKind(inside, 'finder').length,
      lost_items: ofKind(inside, 'owner').length,
      resolved_posts: inside.filter(({ fate }) => fate === 'returned' || fate === 'returnedLate').length,
    });
    expect(inside.map(({ input }) => input.location)).toContain(stats.most_active_location);
  }
};

/** Checks that only platform admins read the reported posts (docs/product.md V31). */
const readReports: Way = async (viewer, world) => {
  const answer = await read(viewer, world, '/admin/reports');
  if (viewer !== 'platformAdmin') return expect(answer.status).toBe(viewer === 'visitor' ? 401 : 403);
  const posts = (await answer.json<ReportedPost[]>()).map(({ post }) => post);
  expect(posts).toEqual(world.posts.filter(({ isReported }) => isReported).map((post) => presented(viewer, post)));
};

/** Checks that only platform admins read the log, which names posts (docs/product.md V31). */
const readLog: Way = async (viewer, world) => {
  const answer = await read(viewer, world, '/admin/log');
  expect(answer.status).toBe(viewer === 'platformAdmin' ? 200 : viewer === 'visitor' ? 401 : 403);
};

/** Checks that only platform admins find hidden posts (docs/product.md V31). @param paths the path to find a post. */
function lookUp(paths: (post: WorldPost, world: World) => string): Way {
  return async (viewer, world) => {
    for (const post of newestFirst(world.posts)) {
      const answer = await read(viewer, world, paths(post, world));
      const text = await answer.text();
      if (viewer === 'platformAdmin') expect([post.name, text.includes(post.mark)]).toEqual([post.name, true]);
      else expect([post.name, answer.status]).toEqual([post.name, viewer === 'visitor' ? 401 : 403]);
    }
  };
}

/** Every path by which a post, a part of a post or a count of posts leaves the Worker. The tests run in this order. */
export const WAYS = {
  'GET /posts': lookThroughLists,
  'GET /posts, page by page': turnPages,
  'GET /posts, of a community': lookIntoCommunities,
  'GET /posts/by-owner': async (viewer, world) => {
    const own = ownOf(viewer, world.posts);
    if (viewer !== 'visitor') return expectEntries(viewer, world, '/posts/by-owner', own);
    expect((await read(viewer, world, '/posts/by-owner')).status).toBe(401);
  },
  'GET /posts/:id': openEach,
  'POST /posts': postByOneKey,
  'PUT /posts/:id': beRefused('PUT', ''),
  'PATCH /posts/:id/found': beRefused('PATCH', '/found'),
  'DELETE /posts/:id/found': beRefused('DELETE', '/found'),
  'PUT /posts/:id/outcome': beRefused('PUT', '/outcome'),
  'POST /posts/:id/wake': beRefused('POST', '/wake'),
  'DELETE /posts/:id': beRefused('DELETE', ''),
  'GET /posts/:id/matches': lookAtMatches,
  'GET /posts/:id/matches, of others': beRefused('GET', '/matches'),
  'GET /matches/counts': countMatches,
  'GET /notices': readNotices,
  'POST /notices/read': countUnread,
  'POST /posts/:id/claims': claimEach,
  ...CLAIM_WAYS,
  'GET /communities/:id/stats': readStats,
  'GET /admin/reports': readReports,
  'GET /admin/log': readLog,
  'GET /admin/search': lookUp((post) => `/admin/search?q=${post.mark}`),
  'GET /admin/users/:id': lookUp((post, { people }) => `/admin/users/${people[post.author].id}`),
  'GET /admin/posts/:id': lookUp((post) => `/admin/posts/${post.id}`),
  ...PAGE_WAYS,
  'the export': exportOwnData,
  'the socket': listenToSocket,
} satisfies Record<string, Way>;

/**
 * Paths to request after all viewers have requested WAYS. These paths match posts again, which withdraws unread notices
 * of posts that no longer match.
 */
export const LAST_WAYS = {
  'GET /posts/:id/matches, judged anew': judgeMatchesAnew,
} satisfies Record<string, Way>;
