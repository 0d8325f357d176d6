import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import {
  CARD_TEMPLATES_PATH,
  FEED_PAGE_SIZE,
  FIRST_POSTS_ID,
  FIRST_POSTS_PLACE,
  type FirstPosts,
} from '#contract/first-posts.ts';
import type { LiveMessage } from '#contract/live-messages.ts';
import type { NoticeList, UnreadCount } from '#contract/notices.ts';
import type { MatchCounts, Post, PostMatch } from '#contract/posts.ts';
import { app } from '#worker/app.ts';
import { openDb } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { ORIGIN } from './api.ts';
import { FOUND, insertClaim } from './claims.ts';
import { connect, newPeople, settled } from './live.ts';
import { insertPhoto } from './posts.ts';
import {
  isForMembers,
  isOpen,
  listed,
  matchesOf,
  maySee,
  ownOf,
  presented,
  type Told,
  toldOf,
} from './visibility-oracle.ts';
import { askApp, callerFor, read, type ViewerName, type Way, type World, type WorldPost } from './visibility-world.ts';

/** A post that the viewer may not see gives 404 (V6); one that cannot be claimed gives 409. */
export const claimEach: Way = async (viewer, world) => {
  for (const post of world.posts) {
    const isClaimable = isOpen(post) && post.input.posted_by === 'finder' && post.author !== viewer;
    // Claimable posts are tested elsewhere: here they would use up the daily limit.
    if (isClaimable && maySee(viewer, post) && viewer !== 'visitor') continue;
    const answer = await askApp('POST', `/api/posts/${post.id}/claims`, {
      ...callerFor(viewer, world),
      body: { answer: 'Ni changu' },
    });
    const refused = maySee(viewer, post) ? 409 : 404;
    expect([post.name, answer.status]).toEqual([post.name, viewer === 'visitor' ? 401 : refused]);
    expect(await answer.text()).not.toContain(post.mark);
  }
};

/** A claim between two other people gives 404 (V25). */
function beNoPartOfIt(method: string, path: string, body?: unknown): Way {
  return async (viewer, world) => {
    const [finder, claimant] = await newPeople(2);
    if (!finder || !claimant) throw new Error('nobody');
    const id = await insertClaim({ postId: crypto.randomUUID(), finder, claimant });
    const answer = await askApp(method, `/api/claims/${id}${path}`, { ...callerFor(viewer, world), body });
    await env.DB.prepare('delete from claims where id = ?').bind(id).run();
    expect(answer.status).toBe(viewer === 'visitor' ? 401 : 404);
    expect(await answer.text()).not.toContain(FOUND.title);
  };
}

export const CLAIM_WAYS = {
  'GET /claims': async (viewer, world) => {
    const answer = await read(viewer, world, '/claims');
    if (viewer === 'visitor') return expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual([]);
  },
  'GET /claims/:id': beNoPartOfIt('GET', ''),
  'POST /claims/:id/ask': beNoPartOfIt('POST', '/ask', { text: 'Nini?' }),
  'POST /claims/:id/reply': beNoPartOfIt('POST', '/reply', { text: 'Hiki' }),
  'POST /claims/:id/accept': beNoPartOfIt('POST', '/accept'),
  'POST /claims/:id/decline': beNoPartOfIt('POST', '/decline'),
  'POST /claims/:id/undo': beNoPartOfIt('POST', '/undo'),
  'POST /claims/:id/withdraw': beNoPartOfIt('POST', '/withdraw'),
  'POST /claims/:id/hand-over': beNoPartOfIt('POST', '/hand-over', { code: '123456' }),
} satisfies Record<string, Way>;

async function expectMatches(viewer: ViewerName, world: World, own: WorldPost, expected: WorldPost[]): Promise<void> {
  const matches = await (await read(viewer, world, `/posts/${own.id}/matches`)).json<PostMatch[]>();
  const byId = (left: Post, right: Post) => left.id.localeCompare(right.id);
  const posts = matches.map(({ Post: post }) => post).sort(byId);
  expect(posts, own.name).toEqual(expected.map((post) => presented(viewer, post)).sort(byId));
}

export const lookAtMatches: Way = async (viewer, world) => {
  for (const own of ownOf(viewer, world.posts))
    await expectMatches(viewer, world, own, matchesOf(viewer, own, world.posts));
};

/** An unmatched post: people who may no longer see each other must not match. The other paths cover earlier matches. */
export const judgeMatchesAnew: Way = async (viewer, world) => {
  const wait = env.DB.prepare('update posts set match_pending_since = ?1 where id = ?2');
  for (const own of ownOf(viewer, world.posts)) {
    await wait.bind(Date.now(), own.id).run();
    const matches = matchesOf(viewer, own, world.posts).filter(({ author }) => maySee(author, own));
    await expectMatches(viewer, world, own, matches);
    await wait.bind(null, own.id).run();
    await env.DB.prepare('update match_pairs set is_current = 1').run();
  }
};

export const countMatches: Way = async (viewer, world) => {
  const answer = await read(viewer, world, '/matches/counts');
  if (viewer === 'visitor') return expect(answer.status).toBe(401);
  const own = ownOf(viewer, world.posts);
  const counts = own.map((post) => [post.id, matchesOf(viewer, post, world.posts).length] as const);
  expect(await answer.json<MatchCounts>()).toEqual(Object.fromEntries(counts.filter(([, count]) => count > 0)));
};

/** Checks that the messages are about these posts, once each, and contain what the viewer may see. */
function expectTold(viewer: ViewerName, messages: LiveMessage[], told: Told[]): void {
  const about = messages.filter((message) => message.type === 'matching_post');
  const pairs = about.map(({ your_post_id, post_id }) => `${your_post_id} ${post_id}`);
  expect(pairs.sort()).toEqual(told.map(({ own, post }) => `${own.id} ${post.id}`).sort());
  for (const message of about) {
    const post = told.find(({ post: { id } }) => id === message.post_id)?.post;
    expect(post && presented(viewer, post)).toMatchObject(partsOf(message));
  }
}

function partsOf(message: Extract<LiveMessage, { type: 'matching_post' }>): Partial<Post> {
  const { post_id: id, title, location, owner_first_name, owner_last_name, phone_number, created_at } = message;
  return { id, title, location, owner_first_name, owner_last_name, phone_number, created_at };
}

export const readNotices: Way = async (viewer, world) => {
  const answer = await read(viewer, world, '/notices?limit=100');
  if (viewer === 'visitor') return expect(answer.status).toBe(401);
  const { notices, unread_count } = await answer.json<NoticeList>();
  const told = toldOf(viewer, world.posts);
  expectTold(
    viewer,
    notices.map(({ message }) => message),
    told,
  );
  for (const { message, is_open } of notices.filter(({ message }) => message.type === 'matching_post')) {
    const post = told.find(({ post: { id } }) => 'post_id' in message && id === message.post_id)?.post;
    expect(is_open).toBe(post && isOpen(post));
  }
  expect(unread_count).toBe(told.filter(({ post }) => isOpen(post)).length);
};

/** Checks that nobody has read the notice of a post that is still open. */
export const countUnread: Way = async (viewer, world) => {
  const answer = await askApp('POST', '/api/notices/read', { ...callerFor(viewer, world), body: {} });
  if (viewer === 'visitor') return expect(answer.status).toBe(401);
  const open = toldOf(viewer, world.posts).filter(({ post }) => isOpen(post));
  expect(await answer.json<UnreadCount>()).toEqual({ unread_count: open.length });
};

/** The socket's messages after every unread notice was delivered to the mailbox again. */
export const listenToSocket: Way = async (viewer, world) => {
  if (viewer === 'visitor') return expect((await askApp('POST', '/api/realtime/ticket')).status).toBe(401);
  const { id, token } = world.people[viewer];
  const { results } = await env.DB.prepare(
    'update notices set delivered_at = null where recipient_id = ? and read_at is null returning id',
  )
    .bind(id)
    .all<{ id: string }>();
  await deliverNotices(
    env,
    openDb(env),
    results.map((row) => row.id),
  );
  const live = await connect({ id, token });
  await settled(live);
  live.socket.close();
  const open = toldOf(viewer, world.posts).filter(({ post }) => isOpen(post));
  expectTold(viewer, live.messages, open);
};

// Paths outside /api are the same for everybody, with or without a token.

/**
 * Gives each post a photo during the test. The address in a post's response opens it; the bare address works for public
 * posts only.
 */
const loadPhotos: Way = async (viewer, world) => {
  for (const post of world.posts.filter(({ fate }) => fate !== 'deleted')) {
    const id = await insertPhoto(post.id, world.people[post.author]);
    const path = `/photos/${id}.webp`;
    await env.PHOTOS.put(`${id}.webp`, post.mark);
    const bare = await askApp('GET', path, callerFor(viewer, world));
    expect([post.name, bare.status]).toEqual([post.name, maySee('visitor', post) ? 200 : 404]);
    const answer = await read(viewer, world, `/posts/${post.id}`);
    const { photos } = answer.ok ? await answer.json<Post>() : { photos: [] };
    expect([post.name, photos.map(({ url }) => url.split('?')[0])]).toEqual([post.name, answer.ok ? [path] : []]);
    for (const { url } of photos) expect([post.name, (await askApp('GET', url)).status]).toEqual([post.name, 200]);
    await env.DB.prepare('delete from photos where id = ?').bind(id).run();
    expect((await askApp('GET', path)).status).toBe(404);
  }
};

const openSharePages: Way = async (viewer, world) => {
  for (const post of world.posts) {
    const answer = await askApp('GET', `/p/${post.id}`, callerFor(viewer, world));
    const isPublic = maySee('visitor', post);
    expect([post.name, answer.status]).toEqual([post.name, isPublic || isForMembers(post) ? 200 : 404]);
    const page = await answer.text();
    expect([post.name, page.includes(post.mark)]).toEqual([post.name, isPublic]);
    expect(page).not.toContain(post.input.phone_number);
  }
};

/** A minimal page of the build, without a place for cards, so that their templates may be empty. */
const ASSETS = {
  fetch: async ({ url }: Request) =>
    new URL(url).pathname === CARD_TEMPLATES_PATH
      ? Response.json({})
      : new Response(`<html><i ${FIRST_POSTS_PLACE}></i><div id="root"></div></html>`),
};

const openFirstPage: Way = async (viewer, world) => {
  const { token } = callerFor(viewer, world);
  const headers = { ...(token && { Authorization: `Bearer ${token}` }) };
  let page = '';
  const open = async () => {
    const request = new Request(`${ORIGIN}/view-posts`, { headers });
    const answer = await app.fetch(request, { ...env, ASSETS } as unknown as Env, createExecutionContext());
    page = await answer.text();
    return page;
  };
  // It waits for the posts only this long.
  await expect.poll(open, { timeout: 20_000 }).toContain(`id="${FIRST_POSTS_ID}"`);
  const [, data = ''] = new RegExp(`id="${FIRST_POSTS_ID}">(.*?)</script>`, 's').exec(page) ?? [];
  const expected = listed('visitor', world.posts)
    .slice(0, FEED_PAGE_SIZE)
    .map((post) => ({ Post: presented('visitor', post) }));
  expect((JSON.parse(data) as FirstPosts).entries).toEqual(expected);
};

export const PAGE_WAYS = {
  'GET /photos/:name': loadPhotos,
  'GET /p/:id': openSharePages,
  'GET /view-posts': openFirstPage,
} satisfies Record<string, Way>;
