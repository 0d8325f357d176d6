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
import { POST_RESTS_AFTER_DAYS } from '#contract/limits.ts';
import type { LiveMessage } from '#contract/live-messages.ts';
import type { NoticeList, UnreadCount } from '#contract/notices.ts';
import type { MatchCounts, Post, PostMatch, PostState } from '#contract/posts.ts';
import { NO_DETAILS } from '#tests/support/posts.ts';
import { app } from '#worker/app.ts';
import { openDb } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { ORIGIN } from './api.ts';
import { FOUND, insertClaim } from './claims.ts';
import { connect, newPeople, settled } from './notices.ts';
import { insertPhoto } from './posts.ts';
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

// The rules for who sees which posts, written from docs/product.md alone, not from the Worker's code. The functions get
// the posts oldest first.

/** The members, who alone can read what is in a community (docs/product.md V1). */
export const MEMBERS: Record<PlaceName, readonly ViewerName[]> = {
  inside: ['author', 'member', 'communityAdmin', 'revoked', 'blocker', 'blocked'],
  waiting: ['author', 'pendingCreator'],
};

/** Who is a member of which community, and who has blocked whom (docs/product.md V5). */
type Circumstances = { members: typeof MEMBERS; blocks: readonly (readonly [ViewerName, ViewerName])[] };
const NOW: Circumstances = {
  members: MEMBERS,
  blocks: [
    ['blocker', 'author'],
    ['author', 'blocked'],
  ],
};
const BEFORE: Circumstances = {
  members: { ...MEMBERS, inside: [...MEMBERS.inside, 'formerMember'] },
  blocks: [],
};

const ADMINS: Record<PlaceName, ViewerName> = { inside: 'communityAdmin', waiting: 'pendingCreator' };

/**
 * Whether the post is public or in a community of the viewer, and neither the viewer nor the author has blocked the
 * other (docs/product.md V1, V5).
 */
function isInReach(viewer: ViewerName, { place, author }: WorldPost, { members, blocks } = NOW): boolean {
  const areApart = blocks.some((two) => viewer !== author && two.includes(viewer) && two.includes(author));
  return !areApart && (place === null || members[place].includes(viewer));
}

/** Whether nothing hides the post from the viewer (docs/product.md V4). */
function isNotHiddenFrom(viewer: ViewerName, { author, place, hiddenBy }: WorldPost): boolean {
  const isModerator = viewer === 'platformAdmin' || (place !== null && ADMINS[place] === viewer);
  return hiddenBy === null || author === viewer || isModerator;
}

/** Whether the post is neither closed nor resting (docs/product.md V3). */
function isThere({ fate }: WorldPost): boolean {
  return fate !== 'closed' && fate !== 'resting';
}

/** Whether a list may show the post to the viewer (docs/product.md V8). */
function isListed(viewer: ViewerName, post: WorldPost): boolean {
  return isThere(post) && isInReach(viewer, post) && isNotHiddenFrom(viewer, post);
}

/**
 * Whether the viewer may open the post: listed and own posts and, for platform admins, hidden posts
 * (docs/product.md V2, V4, V8).
 */
export function maySee(viewer: ViewerName, post: WorldPost): boolean {
  const isDecidedBy = viewer === 'platformAdmin' && post.hiddenBy !== null && isThere(post);
  return post.fate !== 'deleted' && (post.author === viewer || isListed(viewer, post) || isDecidedBy);
}

/** Whether the share page says that the post is for members of a community (docs/product.md V19). */
function isForMembers(post: WorldPost): boolean {
  return post.place !== null && post.hiddenBy === null && post.fate !== 'deleted' && isThere(post);
}

/** Whether the post can be matched (docs/product.md V20, M1). */
function isOpen({ fate, hiddenBy }: WorldPost): boolean {
  return fate === 'open' && hiddenBy === null;
}

/**
 * The post as this viewer sees it. The phone number and the texts depend on the viewer, and some fields are shown only
 * to the post's author (docs/product.md V9, V11, V14).
 */
export function presented(viewer: ViewerName, post: WorldPost): Post {
  const { description } = post.input;
  return {
    ...NO_DETAILS,
    ...post.input,
    description: viewer === 'visitor' ? description.replace(/\d{9,15}/g, '•••') : description,
    kind: 'electronics',
    on_behalf: false,
    ...(post.author === viewer && { private_marks: null }),
    id: post.id,
    phone_number: viewer === 'visitor' ? null : post.input.phone_number,
    is_author_proven: viewer === 'visitor' ? null : false,
    is_contact_limited: false,
    community_name: post.communityName,
    is_found: isReturned(post),
    state: stateOf(post),
    contact: 'number',
    is_mine: post.author === viewer,
    is_hidden: post.hiddenBy !== null,
    hidden_by: post.hiddenBy ? [post.hiddenBy] : [],
    hidden_reason: post.hiddenBy ? 'Sababu' : null,
    photos: [],
    created_at: post.createdAt,
    found_until: post.author === viewer && isReturned(post) ? expect.any(String) : null,
    ...(post.author === viewer && { has_identifiers: false, rests_at: isOpen(post) ? restsAt(post) : null }),
  };
}

function isReturned({ fate }: WorldPost): boolean {
  return fate === 'returned' || fate === 'returnedLate';
}

/** The state of the post (docs/product.md V3, V4). A returned post stays `returned` even if it is hidden. */
function stateOf(post: WorldPost): PostState {
  if (isReturned(post)) return 'returned';
  if (post.hiddenBy !== null) return 'hidden';
  return post.fate === 'closed' || post.fate === 'resting' ? post.fate : 'open';
}

function restsAt({ createdAt }: WorldPost): string {
  return new Date(Date.parse(createdAt) + POST_RESTS_AFTER_DAYS * 24 * 60 * 60 * 1000).toISOString();
}

/** The status with which a change of another person's post is refused (docs/product.md V6). */
export function refusal(viewer: ViewerName, post: WorldPost): 401 | 403 | 404 {
  if (viewer === 'visitor') return 401;
  return maySee(viewer, post) ? 403 : 404;
}

/** The posts that are not deleted, newest first (docs/product.md V8). */
export function newestFirst(posts: WorldPost[]): WorldPost[] {
  return posts.filter(({ fate }) => fate !== 'deleted').reverse();
}

export function listed(viewer: ViewerName, posts: WorldPost[]): WorldPost[] {
  return newestFirst(posts).filter((post) => isListed(viewer, post));
}

/** The viewer's own posts (docs/product.md V2). */
export function ownOf(viewer: ViewerName, posts: WorldPost[]): WorldPost[] {
  return newestFirst(posts).filter(({ author }) => author === viewer);
}

/**
 * Whether the two posts were matched: they are of opposite sides and by two authors, and when they were posted each
 * author could see the other's post (docs/product.md V20). All posts of the test describe one thing.
 */
function haveMet(one: WorldPost, other: WorldPost): boolean {
  const areTwoKinds = one.input.posted_by !== other.input.posted_by && one.author !== other.author;
  const areThere = one.fate !== 'deleted' && other.fate !== 'deleted';
  const sawEachOther = isInReach(one.author, other, BEFORE) && isInReach(other.author, one, BEFORE);
  return areTwoKinds && areThere && sawEachOther;
}

/** The matches that the viewer sees for their own post (docs/product.md V20). */
function matchesOf(viewer: ViewerName, own: WorldPost, posts: WorldPost[]): WorldPost[] {
  if (!isOpen(own)) return [];
  return newestFirst(posts).filter((post) => isOpen(post) && haveMet(own, post) && maySee(viewer, post));
}

/** The viewer's own post, and the post that a match notice reported. */
type Told = { own: WorldPost; post: WorldPost };

/**
 * The match notices that the viewer still sees (docs/product.md V21). Only authors of lost posts were notified, because
 * the lost posts were created before the found posts. If either post of a match was later returned or hidden, the
 * notice remains only if the viewer had already read it.
 */
export function toldOf(viewer: ViewerName, posts: WorldPost[]): Told[] {
  return ownOf(viewer, posts)
    .filter(({ input }) => input.posted_by === 'owner')
    .flatMap((own) => newestFirst(posts).map((post) => ({ own, post })))
    .filter(({ own, post }) => post.isReadOf || (post.hiddenBy === null && own.hiddenBy === null && isThere(own)))
    .filter(({ own, post }) => post.fate !== 'returned' && haveMet(own, post) && isListed(viewer, post));
}

/**
 * Checks that a claim on a post that the viewer may not see is refused with 404 (docs/product.md V6), and a claim on
 * any other unclaimable post with 409.
 */
export const claimEach: Way = async (viewer, world) => {
  for (const post of world.posts) {
    const isClaimable = isOpen(post) && post.input.posted_by === 'finder' && post.author !== viewer;
    // Skips claimable posts, which other tests claim: here the claims would use up the daily limit on claims.
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

/** Checks that any access to a claim between two other people gives 404 (docs/product.md V25). */
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

/** Matches the viewer's posts again. Posts must not match if their authors may no longer see each other's posts. */
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

/** Checks that the viewer's unread count is the number of match notices about open posts. */
export const countUnread: Way = async (viewer, world) => {
  const answer = await askApp('POST', '/api/notices/read', { ...callerFor(viewer, world), body: {} });
  if (viewer === 'visitor') return expect(answer.status).toBe(401);
  const open = toldOf(viewer, world.posts).filter(({ post }) => isOpen(post));
  expect(await answer.json<UnreadCount>()).toEqual({ unread_count: open.length });
};

/** Delivers every unread notice again, and checks the messages that the socket receives. */
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

// Each path outside /api gives every viewer the same response, with or without a token.

/**
 * Gives each post a photo. Checks that the URL in the API's response opens the photo, and that a URL without a
 * signature opens only the photos of public posts.
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

/**
 * Simulates the files of the build. The HTML page has no element with the attribute `data-prerendered`, in which the
 * Worker would render the posts' cards. The card templates may therefore be empty.
 */
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
  // Requests the page until it contains the posts: if the database is slow, the Worker sends the page without them.
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
