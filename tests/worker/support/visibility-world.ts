import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import type { PostedBy } from '#contract/kinds.ts';
import type { NoticeList } from '#contract/notices.ts';
import type { HiddenBy, Post, PostInput } from '#contract/posts.ts';
import { app } from '#worker/app.ts';
import { batch, openDb } from '#worker/db/client.ts';
import { idsOf } from '#worker/db/statements.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { restUnansweredPosts } from '#worker/posts/ask-and-rest.ts';
import { hidePosts } from '#worker/posts/post-states.ts';
import { checkAnswer, newPerson, ORIGIN, type Person } from './api.ts';
import { communityCodeOf, join, newApprovedCommunity, newCommunity } from './communities.ts';
import { lostAndFound } from './notices.ts';

export const VIEWERS = [
  'visitor',
  'stranger',
  'author',
  'member',
  'formerMember',
  'communityAdmin',
  'pendingCreator',
  'rejectedCreator',
  'platformAdmin',
  'revoked',
  'blocker',
  'blocked',
] as const;
export type ViewerName = (typeof VIEWERS)[number];
type SignedIn = Exclude<ViewerName, 'visitor'>;

/**
 * For each viewer who has blocked somebody: the name of the post from which the viewer blocked the post's author. The
 * viewer's list of blocks shows this post's title.
 */
export const BLOCKED_AT: Partial<Record<ViewerName, string>> = { blocker: 'public', author: 'byBlocked' };

/**
 * The two communities with posts. Almost all of these posts are in `inside`. `waiting` was approved once and waits for
 * approval again.
 */
export type PlaceName = 'inside' | 'waiting';
export type Place = { id: string; name: string; code: string; accessCode: string };

/** A post with its author, its community (`place`), and what happened to the post later. */
export type WorldPost = {
  id: string;
  name: string;
  author: SignedIn;
  place: PlaceName | null;
  communityName: string | null;
  input: PostInput;
  /** A unique word that all texts of the post contain. */
  mark: string;
  createdAt: string;
  /**
   * What happened to the post: at once if `returned`, otherwise after all posts were created and matched. People had
   * read their match notices about a `returnedLate` post before its return.
   */
  fate: 'open' | 'returned' | 'returnedLate' | 'closed' | 'resting' | 'deleted';
  /** What hides the post. The post was hidden after people had received match notices about it. */
  hiddenBy: HiddenBy | null;
  /** Whether people had read their match notices about the post before it was closed or hidden. */
  isReadOf: boolean;
  isReported: boolean;
};

/**
 * Checks one way to reach posts, such as the lists or the export: the viewer gets the posts that visibility-oracle.ts
 * allows, and no others.
 */
export type Way = (viewer: ViewerName, world: World) => Promise<void>;

/** Returns the viewer's token, or none for a visitor. */
export function callerFor(viewer: ViewerName, { people }: World): { token?: string } {
  return viewer === 'visitor' ? {} : { token: people[viewer].token };
}

export type World = {
  people: Record<SignedIn, Person>;
  places: Record<PlaceName, Place>;
  /** The posts, oldest first. */
  posts: WorldPost[];
};

type Draft = Pick<WorldPost, 'name' | 'author'> & {
  kind: PostedBy;
  place?: PlaceName;
  fate?: WorldPost['fate'];
  hiddenBy?: WorldPost['hiddenBy'];
  isReadOf?: boolean;
  isReported?: boolean;
};

/** All posts describe the same phone. Lost ones were posted first, so their authors are notified of the found ones. */
const DRAFTS: Draft[] = [
  ...VIEWERS.filter((name): name is SignedIn => name !== 'visitor').map(
    (author) => ({ name: `lostBy_${author}`, author, kind: 'owner' }) as const,
  ),
  { name: 'lostInside', author: 'communityAdmin', place: 'inside', kind: 'owner' },
  { name: 'returned', author: 'author', kind: 'finder', fate: 'returned' },
  { name: 'public', author: 'author', kind: 'finder', isReported: true },
  { name: 'inside', author: 'author', place: 'inside', kind: 'finder' },
  { name: 'waiting', author: 'author', place: 'waiting', kind: 'finder' },
  { name: 'returnedLate', author: 'author', kind: 'finder', fate: 'returnedLate' },
  { name: 'returnedInside', author: 'author', place: 'inside', kind: 'finder', fate: 'returnedLate' },
  { name: 'deleted', author: 'author', kind: 'finder', fate: 'deleted' },
  { name: 'closed', author: 'author', kind: 'finder', fate: 'closed' },
  { name: 'closedInside', author: 'author', place: 'inside', kind: 'finder', fate: 'closed', isReadOf: true },
  { name: 'closedLost', author: 'author', kind: 'owner', fate: 'closed' },
  { name: 'resting', author: 'author', kind: 'finder', fate: 'resting', isReported: true },
  { name: 'restingInside', author: 'author', place: 'inside', kind: 'finder', fate: 'resting' },
  { name: 'closedHidden', author: 'stranger', kind: 'finder', fate: 'closed', hiddenBy: 'admin' },
  {
    name: 'closedHiddenInside',
    author: 'member',
    place: 'inside',
    kind: 'finder',
    fate: 'closed',
    hiddenBy: 'community',
  },
  { name: 'hiddenByReports', author: 'author', kind: 'finder', hiddenBy: 'reports', isReported: true },
  { name: 'hiddenByAdmin', author: 'author', kind: 'finder', hiddenBy: 'admin', isReadOf: true },
  { name: 'hiddenBySuspension', author: 'stranger', kind: 'finder', hiddenBy: 'suspension' },
  { name: 'hiddenInside', author: 'author', place: 'inside', kind: 'finder', hiddenBy: 'community', isReadOf: true },
  { name: 'hiddenInsideByAdmin', author: 'member', place: 'inside', kind: 'finder', hiddenBy: 'admin' },
  {
    name: 'hiddenInsideSuspended',
    author: 'member',
    place: 'inside',
    kind: 'finder',
    hiddenBy: 'community_suspension',
  },
  { name: 'hiddenReturned', author: 'author', kind: 'finder', fate: 'returned', hiddenBy: 'admin' },
  { name: 'hiddenLost', author: 'author', kind: 'owner', hiddenBy: 'reports' },
  { name: 'leftBehind', author: 'formerMember', place: 'inside', kind: 'finder' },
  { name: 'byStranger', author: 'stranger', kind: 'finder' },
  { name: 'byBlocker', author: 'blocker', kind: 'finder' },
  { name: 'byBlocked', author: 'blocked', place: 'inside', kind: 'finder' },
];

/** Calls the app and waits for its work after the response. Faster than `call` for a thousand requests. */
export async function askApp(
  method: string,
  path: string,
  { token, body, headers }: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Response> {
  const url = `${ORIGIN}${path}`;
  const ctx = createExecutionContext();
  const request = new Request(url, {
    method,
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await app.fetch(request, env, ctx);
  await waitOnExecutionContext(ctx);
  await checkAnswer(method, url, answer);
  return answer;
}

/** Sends a GET request for the API's path as the viewer. */
export function read(viewer: ViewerName, world: World, path: string): Promise<Response> {
  return askApp('GET', `/api${path}`, callerFor(viewer, world));
}

export async function makeWorld(): Promise<World> {
  const { community, creator: communityAdmin, platformAdmin } = await newApprovedCommunity({ name: 'Ndani' });
  const others = [
    'stranger',
    'author',
    'member',
    'formerMember',
    'rejectedCreator',
    'revoked',
    'blocker',
    'blocked',
  ] as const;
  const made = await Promise.all(others.map(async (name) => [name, await newPerson()] as const));
  const { community: waiting, creator: pendingCreator } = await newApprovedCommunity({ name: 'Subira' });
  const people = { ...Object.fromEntries(made), communityAdmin, platformAdmin, pendingCreator } as World['people'];
  for (const name of ['author', 'member', 'formerMember', 'revoked', 'blocker', 'blocked'] as const)
    await join(community.access_code, people[name]);
  await join(waiting.access_code, people.author);
  const rejected = await newCommunity(people.rejectedCreator);
  const body = { reason: 'Haijulikani' };
  await askApp('POST', `/api/admin/communities/${rejected.id}/reject`, { token: platformAdmin.token, body });
  const places = {
    inside: await placeOf(community, communityAdmin),
    waiting: await placeOf(waiting, pendingCreator),
  };
  const posts: WorldPost[] = [];
  const texts = lostAndFound();
  for (const draft of DRAFTS) posts.push(await makePost(people, places, draft, texts));
  const world = { people, places, posts };
  await letTimePass(world);
  return world;
}

async function placeOf(
  { id, name, access_code }: { id: string; name: string; access_code: string },
  admin: Person,
): Promise<Place> {
  return { id, name, code: await communityCodeOf(id, admin), accessCode: access_code };
}

async function makePost(
  people: World['people'],
  places: World['places'],
  { name, author, kind, place, fate = 'open', hiddenBy = null, isReadOf = false, isReported = false }: Draft,
  { lost, found }: ReturnType<typeof lostAndFound>,
): Promise<WorldPost> {
  const { title, description } = kind === 'owner' ? lost : found;
  const mark = newMark();
  const input: PostInput = {
    title: `${title} ${mark}`,
    description: `${description}. ${mark}`,
    location: `Kariakoo ${mark}`,
    owner_first_name: '',
    owner_last_name: '',
    phone_number: `+2557${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`,
    posted_by: kind,
    community_code: place ? places[place].code : null,
  };
  const { token } = people[author];
  const answer = await askApp('POST', '/api/posts', { token, body: input });
  if (answer.status !== 201) throw new Error(`Posting answered ${answer.status}: ${await answer.text()}`);
  const { id, created_at } = await answer.json<Post>();
  // Lifts the limit of three notices a day from one author to one person: here all posts appear at once.
  await env.DB.prepare('delete from rate_counters').run();
  if (fate === 'returned') await askApp('PATCH', `/api/posts/${id}/found`, { token });
  return {
    id,
    name,
    author,
    place: place ?? null,
    communityName: place ? places[place].name : null,
    input,
    mark,
    createdAt: created_at,
    fate,
    hiddenBy,
    isReadOf,
    isReported,
  };
}

/** Hides the post as the Worker does. @param by what hides the post. */
async function hide(postId: string, by: HiddenBy): Promise<void> {
  const db = openDb(env);
  const { withdrawn } = await batch(db, hidePosts(db, sql`${postId}`, [by], Date.now(), sql`'Sababu'`));
  await deliverNotices(env, db, idsOf(withdrawn));
}

/** Makes the post rest, as the scheduled sweep does after 60 days without an answer. */
async function rest(postId: string): Promise<void> {
  const renewed = env.DB.prepare('update posts set renewed_at = ?1 where id = ?2');
  await renewed.bind(Date.now() - 61 * 24 * 60 * 60 * 1000, postId).run();
  await restUnansweredPosts(env, openDb(env), Date.now());
  // Restores null, the value of a post that nobody has renewed.
  await renewed.bind(null, postId).run();
}

/** A unique word, in letters only, so that it is not read as a number. */
function newMark(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => String.fromCharCode(97 + (byte % 26))).join(
    '',
  );
}

/**
 * Changes the test's data after everybody was notified: people report posts and read notices, posts end or are hidden,
 * authors are blocked, one person leaves a community, one person's sessions end, and a community waits for approval
 * again.
 */
async function letTimePass({ people, places, posts }: World): Promise<void> {
  const ending = posts.filter(({ fate, isReadOf }) => fate === 'returnedLate' || isReadOf).map(({ id }) => id);
  const { token: stranger } = people.stranger;
  for (const { id, isReported } of posts)
    if (isReported) await askApp('POST', `/api/posts/${id}/reports`, { token: stranger, body: { reason: 'scam' } });
  for (const { token } of Object.values(people)) {
    const { notices } = await (await askApp('GET', '/api/notices?limit=100', { token })).json<NoticeList>();
    const read = notices.filter(({ message }) => message.type !== 'matching_post' || ending.includes(message.post_id));
    await askApp('POST', '/api/notices/read', { token, body: { ids: read.map(({ message }) => message.id) } });
  }
  for (const { id, author, fate } of posts) {
    const { token } = people[author];
    if (fate === 'returnedLate') await askApp('PATCH', `/api/posts/${id}/found`, { token });
    if (fate === 'closed') await askApp('PUT', `/api/posts/${id}/outcome`, { token, body: { outcome: 'given_up' } });
    if (fate === 'resting') await rest(id);
    if (fate === 'deleted') await askApp('DELETE', `/api/posts/${id}`, { token });
  }
  for (const blocker of ['blocker', 'author'] as const) {
    const post = posts.find(({ name }) => name === BLOCKED_AT[blocker]);
    await askApp('POST', `/api/posts/${post?.id}/block-author`, { token: people[blocker].token });
  }
  for (const { id, hiddenBy } of posts) if (hiddenBy) await hide(id, hiddenBy);
  await env.DB.batch([
    env.DB.prepare('delete from memberships where user_id = ?').bind(people.formerMember.id),
    env.DB.prepare('update users set token_version = 2 where id = ?').bind(people.revoked.id),
    env.DB.prepare('update communities set approval_status = 0 where id = ?').bind(places.waiting.id),
  ]);
}
