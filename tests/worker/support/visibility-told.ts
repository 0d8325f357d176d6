import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { LiveMessage } from '#contract/live-messages.ts';
import type { NoticeList, UnreadCount } from '#contract/notices.ts';
import type { MatchCounts, Post, PostMatch } from '#contract/posts.ts';
import { openDb } from '#worker/db/client.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { connect, settled } from './live.ts';
import { isOpen, matchesOf, maySee, ownOf, presented, type Told, toldOf } from './visibility-oracle.ts';
import { askApp, callerFor, read, type ViewerName, type Way, type World, type WorldPost } from './visibility-world.ts';

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

/** A post that waits to be matched: nobody meets there who may not see the other any more. The other ways know of who met before. */
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

/** The messages are about these posts, each once, and say of them what the viewer may see. */
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

/** Nobody has read of a post that is still open. */
export const countUnread: Way = async (viewer, world) => {
  const answer = await askApp('POST', '/api/notices/read', { ...callerFor(viewer, world), body: {} });
  if (viewer === 'visitor') return expect(answer.status).toBe(401);
  const open = toldOf(viewer, world.posts).filter(({ post }) => isOpen(post));
  expect(await answer.json<UnreadCount>()).toEqual({ unread_count: open.length });
};

/** What comes over the socket, after everything that is unread was given to the mailbox once more. */
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
