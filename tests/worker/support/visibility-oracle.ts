import { POST_RESTS_AFTER_DAYS } from '#contract/limits.ts';
import type { Post, PostState } from '#contract/posts.ts';
import type { PlaceName, ViewerName, WorldPost } from './visibility-world.ts';

// What the contract says of who sees which posts, in its words and from nothing of the code's. The posts of the world
// are given oldest first.

/** Who can read what is in a community; "to everyone else" it is not there. */
export const MEMBERS: Record<PlaceName, readonly ViewerName[]> = {
  inside: ['author', 'member', 'communityAdmin', 'revoked', 'blocker', 'blocked'],
  waiting: ['author', 'pendingCreator'],
};

/** Who is where, and who has blocked whom: "to each the other's posts are as absent", whichever of the two did it. */
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

/** "Public posts, plus, with a token, those of the caller's communities." */
function isInReach(viewer: ViewerName, { place, author }: WorldPost, { members, blocks } = NOW): boolean {
  const areApart = blocks.some((two) => viewer !== author && two.includes(viewer) && two.includes(author));
  return !areApart && (place === null || members[place].includes(viewer));
}

/** "To its author it stays; platform admins, and its community's for theirs, see it; to everyone else it is 404." */
function isNotHiddenFrom(viewer: ViewerName, { author, place, hiddenBy }: WorldPost): boolean {
  const isModerator = viewer === 'platformAdmin' || (place !== null && ADMINS[place] === viewer);
  return hiddenBy === null || author === viewer || isModerator;
}

/** "Closed and resting posts are seen by their authors alone"; "lists leave out what rests". */
function isThere({ fate }: WorldPost): boolean {
  return fate !== 'closed' && fate !== 'resting';
}

function isListed(viewer: ViewerName, post: WorldPost): boolean {
  return isThere(post) && isInReach(viewer, post) && isNotHiddenFrom(viewer, post);
}

/** What is listed, one's own, wherever it is, and for a platform admin whatever is hidden. */
export function maySee(viewer: ViewerName, post: WorldPost): boolean {
  const isDecidedBy = viewer === 'platformAdmin' && post.hiddenBy !== null && isThere(post);
  return post.fate !== 'deleted' && (post.author === viewer || isListed(viewer, post) || isDecidedBy);
}

/** "A community's post: 200, says that it is for members. Absent, hidden, closed: a 404 page." */
export function isForMembers(post: WorldPost): boolean {
  return post.place !== null && post.hiddenBy === null && post.fate !== 'deleted' && isThere(post);
}

/** Still looked for, and there for others: "a hidden post matches nothing". */
export function isOpen({ fate, hiddenBy }: WorldPost): boolean {
  return fate === 'open' && hiddenBy === null;
}

/** "`phone_number` is null for anyone without a valid token", and what looks like a number in a text is shown as `•••`. */
export function presented(viewer: ViewerName, post: WorldPost): Post {
  const { description } = post.input;
  return {
    ...post.input,
    description: viewer === 'visitor' ? description.replace(/\d{9,15}/g, '•••') : description,
    kind: 'electronics',
    kept_at: null,
    on_behalf: false,
    claim_question: null,
    ...(post.author === viewer && { private_marks: null }),
    id: post.id,
    phone_number: viewer === 'visitor' ? null : post.input.phone_number,
    is_author_proven: viewer === 'visitor' ? null : false,
    is_contact_limited: false,
    contact_opens_at: null,
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
    ...(post.author === viewer && { has_identifiers: false, rests_at: isOpen(post) ? restsAt(post) : null }),
  };
}

function isReturned({ fate }: WorldPost): boolean {
  return fate === 'returned' || fate === 'returnedLate';
}

/** "`is_found` is true for `returned` alone." */
function stateOf(post: WorldPost): PostState {
  if (isReturned(post)) return 'returned';
  if (post.hiddenBy !== null) return 'hidden';
  return post.fate === 'closed' || post.fate === 'resting' ? post.fate : 'open';
}

function restsAt({ createdAt }: WorldPost): string {
  return new Date(Date.parse(createdAt) + POST_RESTS_AFTER_DAYS * 24 * 60 * 60 * 1000).toISOString();
}

/** To whoever has no token 401; "another person's post: 403. A post the caller may not see: 404". */
export function refusal(viewer: ViewerName, post: WorldPost): 401 | 403 | 404 {
  if (viewer === 'visitor') return 401;
  return maySee(viewer, post) ? 403 : 404;
}

/** "Newest first"; a deleted post is in no list. */
export function newestFirst(posts: WorldPost[]): WorldPost[] {
  return posts.filter(({ fate }) => fate !== 'deleted').reverse();
}

export function listed(viewer: ViewerName, posts: WorldPost[]): WorldPost[] {
  return newestFirst(posts).filter((post) => isListed(viewer, post));
}

export function ownOf(viewer: ViewerName, posts: WorldPost[]): WorldPost[] {
  return newestFirst(posts).filter(({ author }) => author === viewer);
}

/** Posts of the other kind and of somebody else, all of one thing: they met where each author could see the other's. */
function haveMet(one: WorldPost, other: WorldPost): boolean {
  const areTwoKinds = one.input.posted_by !== other.input.posted_by && one.author !== other.author;
  const areThere = one.fate !== 'deleted' && other.fate !== 'deleted';
  const sawEachOther = isInReach(one.author, other, BEFORE) && isInReach(other.author, one, BEFORE);
  return areTwoKinds && areThere && sawEachOther;
}

/** "The open posts of the other kind that match it", of those that one may see. */
export function matchesOf(viewer: ViewerName, own: WorldPost, posts: WorldPost[]): WorldPost[] {
  if (!isOpen(own)) return [];
  return newestFirst(posts).filter((post) => isOpen(post) && haveMet(own, post) && maySee(viewer, post));
}

/** One's own post and what one was told of. */
export type Told = { own: WorldPost; post: WorldPost };

/**
 * What the viewer was told of, as what they lost was posted before it was found. Of a post that was marked as found or
 * hidden only those know who had read of it before.
 */
export function toldOf(viewer: ViewerName, posts: WorldPost[]): Told[] {
  return ownOf(viewer, posts)
    .filter(({ input }) => input.posted_by === 'owner')
    .flatMap((own) => newestFirst(posts).map((post) => ({ own, post })))
    .filter(({ own, post }) => post.isReadOf || (post.hiddenBy === null && own.hiddenBy === null && isThere(own)))
    .filter(({ own, post }) => post.fate !== 'returned' && haveMet(own, post) && isListed(viewer, post));
}
