import { expect } from 'vitest';
import { POST_RESTS_AFTER_DAYS } from '#contract/limits.ts';
import type { Post, PostState } from '#contract/posts.ts';
import { NO_DETAILS } from '#tests/support/posts.ts';
import type { PlaceName, ViewerName, WorldPost } from './visibility-world.ts';

// Who sees which posts, written from the rules of docs/product.md alone and from none of the Worker's code. The posts of
// the world are given oldest first.

/** Who can read what is in a community (V1). */
export const MEMBERS: Record<PlaceName, readonly ViewerName[]> = {
  inside: ['author', 'member', 'communityAdmin', 'revoked', 'blocker', 'blocked'],
  waiting: ['author', 'pendingCreator'],
};

/** Who is a member of which community, and who has blocked whom (V5). */
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

/** Whether the post is public or in a community of the viewer (V1), and neither has blocked the other (V5). */
function isInReach(viewer: ViewerName, { place, author }: WorldPost, { members, blocks } = NOW): boolean {
  const areApart = blocks.some((two) => viewer !== author && two.includes(viewer) && two.includes(author));
  return !areApart && (place === null || members[place].includes(viewer));
}

/** Whether nothing hides the post from the viewer (V4). */
function isNotHiddenFrom(viewer: ViewerName, { author, place, hiddenBy }: WorldPost): boolean {
  const isModerator = viewer === 'platformAdmin' || (place !== null && ADMINS[place] === viewer);
  return hiddenBy === null || author === viewer || isModerator;
}

/** Whether the post is neither closed nor resting (V3). */
function isThere({ fate }: WorldPost): boolean {
  return fate !== 'closed' && fate !== 'resting';
}

/** Whether a list may show the post to the viewer (V8). */
function isListed(viewer: ViewerName, post: WorldPost): boolean {
  return isThere(post) && isInReach(viewer, post) && isNotHiddenFrom(viewer, post);
}

/** Whether the viewer may open the post: V8, their own posts (V2) and, for platform admins, hidden posts (V4). */
export function maySee(viewer: ViewerName, post: WorldPost): boolean {
  const isDecidedBy = viewer === 'platformAdmin' && post.hiddenBy !== null && isThere(post);
  return post.fate !== 'deleted' && (post.author === viewer || isListed(viewer, post) || isDecidedBy);
}

/** Whether the shared page says that the post is for members (V19). */
export function isForMembers(post: WorldPost): boolean {
  return post.place !== null && post.hiddenBy === null && post.fate !== 'deleted' && isThere(post);
}

/** Whether the post can be matched (V20, M1). */
export function isOpen({ fate, hiddenBy }: WorldPost): boolean {
  return fate === 'open' && hiddenBy === null;
}

/** The post as the viewer is shown it: its number (V11), its texts (V14), and what is for its author alone (V9). */
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

/** The state of the post (V3, V4): `is_found` is true for `returned` only. */
function stateOf(post: WorldPost): PostState {
  if (isReturned(post)) return 'returned';
  if (post.hiddenBy !== null) return 'hidden';
  return post.fate === 'closed' || post.fate === 'resting' ? post.fate : 'open';
}

function restsAt({ createdAt }: WorldPost): string {
  return new Date(Date.parse(createdAt) + POST_RESTS_AFTER_DAYS * 24 * 60 * 60 * 1000).toISOString();
}

/** The status that refuses a change of somebody else's post (V6). */
export function refusal(viewer: ViewerName, post: WorldPost): 401 | 403 | 404 {
  if (viewer === 'visitor') return 401;
  return maySee(viewer, post) ? 403 : 404;
}

/** The posts that are not deleted, newest first (V8). */
export function newestFirst(posts: WorldPost[]): WorldPost[] {
  return posts.filter(({ fate }) => fate !== 'deleted').reverse();
}

export function listed(viewer: ViewerName, posts: WorldPost[]): WorldPost[] {
  return newestFirst(posts).filter((post) => isListed(viewer, post));
}

/** The viewer's own posts (V2). */
export function ownOf(viewer: ViewerName, posts: WorldPost[]): WorldPost[] {
  return newestFirst(posts).filter(({ author }) => author === viewer);
}

/**
 * Whether the two posts were matched: they are of opposite sides and by two authors, and each author could see the
 * other's post then (V20). All posts of the world describe one thing.
 */
function haveMet(one: WorldPost, other: WorldPost): boolean {
  const areTwoKinds = one.input.posted_by !== other.input.posted_by && one.author !== other.author;
  const areThere = one.fate !== 'deleted' && other.fate !== 'deleted';
  const sawEachOther = isInReach(one.author, other, BEFORE) && isInReach(other.author, one, BEFORE);
  return areTwoKinds && areThere && sawEachOther;
}

/** The matches of the viewer's own post that the viewer is shown (V20). */
export function matchesOf(viewer: ViewerName, own: WorldPost, posts: WorldPost[]): WorldPost[] {
  if (!isOpen(own)) return [];
  return newestFirst(posts).filter((post) => isOpen(post) && haveMet(own, post) && maySee(viewer, post));
}

/** The viewer's own post, and the post that a match notice reported. */
export type Told = { own: WorldPost; post: WorldPost };

/**
 * The match notices of the viewer that remain (V21). Lost things were posted before the found ones, so their authors
 * were notified. A notice about a post that was since returned or hidden remains only if it had been read.
 */
export function toldOf(viewer: ViewerName, posts: WorldPost[]): Told[] {
  return ownOf(viewer, posts)
    .filter(({ input }) => input.posted_by === 'owner')
    .flatMap((own) => newestFirst(posts).map((post) => ({ own, post })))
    .filter(({ own, post }) => post.isReadOf || (post.hiddenBy === null && own.hiddenBy === null && isThere(own)))
    .filter(({ own, post }) => post.fate !== 'returned' && haveMet(own, post) && isListed(viewer, post));
}
