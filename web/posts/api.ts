import { type InfiniteData, infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Post, PostEntry, PostInput } from '#contract/posts.ts';
import { ApiError, api, callApi } from '#web/lib/api-client.ts';
import { readNextCursor } from '#web/lib/next-cursor.ts';

/** What a list of posts is narrowed to; both null or empty for everything the viewer may see. */
export type PostFilter = { search: string; communityCode: string | null };
type PostPage = { posts: Post[]; nextCursor: string | null };
/** Who reads, as part of every key: what one person has read is never another's. Null for a visitor. */
type ViewerId = string | null;

const FIRST_PAGE: string | null = null;

export const postKeys = {
  all: ['posts'] as const,
  lists: ['posts', 'list'] as const,
  list: (viewerId: ViewerId, filter: PostFilter) => ['posts', 'list', viewerId, filter] as const,
  own: (viewerId: ViewerId) => ['posts', 'own', viewerId] as const,
  one: (viewerId: ViewerId, postId: string) => ['posts', 'one', viewerId, postId] as const,
};

/** Discover: a page after the other, newest first. */
export function postListOptions(viewerId: ViewerId, filter: PostFilter) {
  return infiniteQueryOptions({
    queryKey: postKeys.list(viewerId, filter),
    queryFn: ({ pageParam, signal }) =>
      readPage('/posts', { search: filter.search, community_code: filter.communityCode, cursor: pageParam }, signal),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** One's own posts, newest first. */
export function ownPostsOptions(viewerId: ViewerId) {
  return infiniteQueryOptions({
    queryKey: postKeys.own(viewerId),
    queryFn: ({ pageParam, signal }) => readPage('/posts/by-owner', { cursor: pageParam }, signal),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** The first page of one's own posts, as they are at this moment. */
export async function readNewestOwnPosts(signal: AbortSignal): Promise<Post[]> {
  return (await readPage('/posts/by-owner', {}, signal)).posts;
}

export function postOptions(viewerId: ViewerId, postId: string) {
  return queryOptions({
    queryKey: postKeys.one(viewerId, postId),
    queryFn: ({ signal }) => api<Post>('GET', onePost(postId), { signal }),
  });
}

/**
 * Makes the post of a draft. The key makes a repeated request harmless; when an earlier one with an older text got
 * through unseen, the post is brought up to what stands in the form now.
 */
export async function createPost(input: PostInput, idempotencyKey: string): Promise<Post> {
  const post = await api<Post>('POST', '/posts', { body: input, headers: { 'Idempotency-Key': idempotencyKey } });
  return isSameText(post, input) ? post : updatePost(post.id, input);
}

export function updatePost(postId: string, input: PostInput): Promise<Post> {
  return api('PUT', onePost(postId), { body: input });
}

/**
 * A post that is gone already is as deleted as one could wish.
 * @param token its author's, who may have signed out or closed the page by now.
 */
export async function deletePost(postId: string, token: string | undefined): Promise<void> {
  try {
    await api('DELETE', onePost(postId), { token, keepalive: true });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'post_not_found')) throw error;
  }
}

export function markPostFound(postId: string): Promise<Post> {
  return api('PATCH', `${onePost(postId)}/found`);
}

export function undoPostFound(postId: string): Promise<Post> {
  return api('DELETE', `${onePost(postId)}/found`);
}

/** Changes a post in every list that holds it, or takes it out where `change` answers null. */
export function changeCachedPost(client: QueryClient, postId: string, change: (post: Post) => Post | null): void {
  const inPage = (page: PostPage): PostPage => ({
    ...page,
    posts: page.posts.flatMap((post) => (post.id === postId ? (change(post) ?? []) : post)),
  });
  client.setQueriesData<InfiniteData<PostPage> | Post>({ queryKey: postKeys.all }, (data) =>
    data && 'pages' in data ? { ...data, pages: data.pages.map(inPage) } : data,
  );
}

/** A post as the viewer's lists last had it, and when. */
export function findSeenPost(client: QueryClient, viewerId: ViewerId, postId: string) {
  for (const query of client.getQueryCache().findAll({ queryKey: postKeys.all })) {
    const [, , owner] = query.queryKey;
    const data = query.state.data as Partial<InfiniteData<PostPage>> | undefined;
    const post =
      owner === viewerId ? data?.pages?.flatMap(({ posts }) => posts).find(({ id }) => id === postId) : undefined;
    if (post) return { post, seenAt: query.state.dataUpdatedAt };
  }
  return null;
}

async function readPage(path: string, query: Record<string, string | null>, signal: AbortSignal): Promise<PostPage> {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const suffix = given.length > 0 ? `?${new URLSearchParams(given)}` : '';
  const { body, headers } = await callApi<PostEntry[]>('GET', `${path}${suffix}`, { signal });
  return { posts: body.map((entry) => entry.Post), nextCursor: readNextCursor(headers) };
}

function onePost(postId: string): string {
  return `/posts/${encodeURIComponent(postId)}`;
}

const TEXT_FIELDS = [
  'title',
  'owner_first_name',
  'owner_last_name',
  'location',
  'phone_number',
  'description',
  'posted_by',
] as const;

function isSameText(post: Post, input: PostInput): boolean {
  return TEXT_FIELDS.every((field) => post[field] === input[field]);
}
