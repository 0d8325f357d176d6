import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import type { BodyOf } from '#contract/endpoints.ts';
import type { NewPostInput, Outcome, Post, PostEntry, PostInput, SearchPart } from '#contract/posts.ts';
import { ApiError, api, callApi } from '#web/api/client.ts';
import { pagedQuery } from '#web/api/queries.ts';
import { queryKeys, type ViewerId, viewerOf } from '#web/api/query-keys.ts';
import { noteServerTime } from '#web/lib/server-time.ts';

/** The user's own posts, newest first. */
export function ownPostsOptions(viewerId: ViewerId) {
  return pagedPosts(queryKeys.posts.own(viewerId), (cursor, signal) => readOwnPosts(signal, cursor));
}

/** Creates a post. The server refuses an idempotency key that an earlier request used with other content. */
export function createPost(input: NewPostInput, idempotencyKey: string): Promise<Post> {
  return api('POST /posts', { body: input, headers: { 'Idempotency-Key': idempotencyKey } });
}

export function updatePost(postId: string, input: PostInput): Promise<Post> {
  return api('PUT /posts/:id', { params: { id: postId }, body: input });
}

/**
 * Deletes a post. A missing post counts as deleted.
 * @param token the author's token, because the author may have signed out by now.
 */
export async function deletePost(postId: string, token: string | undefined): Promise<void> {
  try {
    await api('DELETE /posts/:id', { params: { id: postId }, token, keepalive: true });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'post_not_found')) throw error;
  }
}

/** @param idempotencyKey lets the server count a repeated report once. */
export function reportPost(postId: string, input: BodyOf<'POST /posts/:id/reports'>, idempotencyKey: string) {
  const headers = { 'Idempotency-Key': idempotencyKey };
  return api('POST /posts/:id/reports', { params: { id: postId }, body: input, headers });
}

export function blockAuthor(postId: string): Promise<null> {
  return api('POST /posts/:id/block-author', { params: { id: postId } });
}

/**
 * Undoes the block that the user has just made.
 * @param title the title of the post from which the user made the block. The list of blocks uses this title.
 */
export async function unblockLast(title: string): Promise<void> {
  const blocks = await api('GET /me/blocks');
  const last = blocks.find(({ name }) => name === title);
  if (last) await api('DELETE /me/blocks/:id', { params: { id: last.id } });
}

export function markPostFound(postId: string): Promise<Post> {
  return api('PATCH /posts/:id/found', { params: { id: postId } });
}

export function undoPostFound(postId: string): Promise<Post> {
  return api('DELETE /posts/:id/found', { params: { id: postId } });
}

export function endPost(postId: string, outcome: Outcome): Promise<Post> {
  return api('PUT /posts/:id/outcome', { params: { id: postId }, body: { outcome } });
}

/** Whether a found post has this identifier. Sends the identifier in the body, because URLs end up in logs. */
export function lookUpIdentifier(identifier: string): Promise<{ found: boolean }> {
  return api('POST /identifiers/lookup', { body: { identifier } });
}

export function wakePost(postId: string): Promise<Post> {
  return api('POST /posts/:id/wake', { params: { id: postId } });
}

/** Changes a post in every cached list, or removes it if `change` returns null. */
export function changeCachedPost(client: QueryClient, postId: string, change: (post: Post) => Post | null): void {
  // Keeps the fields `found_by` and `reasons` of a search result, which the changed post does not have.
  const changed = (post: ListedPost): ListedPost[] => {
    const next = change(post);
    return next ? [{ ...post, ...next }] : [];
  };
  const inPage = (page: PostPage): PostPage => ({
    ...page,
    posts: page.posts.flatMap((post) => (post.id === postId ? changed(post) : post)),
  });
  // Changes lists only. The cache also has single posts and counts of posts under keys that begin the same way.
  client.setQueriesData<InfiniteData<PostPage> | Post | number>({ queryKey: queryKeys.posts.all }, (data) =>
    typeof data === 'object' && 'pages' in data ? { ...data, pages: data.pages.map(inPage) } : data,
  );
}

/** Returns a post from the cached lists of this user or visitor, and when it was fetched. */
export function findSeenPost(client: QueryClient, viewerId: ViewerId, postId: string) {
  for (const query of client.getQueryCache().findAll({ queryKey: queryKeys.posts.all })) {
    const data = query.state.data as Partial<InfiniteData<PostPage>> | undefined;
    const post =
      viewerOf(query.queryKey) === viewerId
        ? data?.pages?.flatMap(({ posts }) => posts).find(({ id }) => id === postId)
        : undefined;
    if (post) return { post, seenAt: query.state.dataUpdatedAt };
  }
  return null;
}

async function readOwnPosts(signal: AbortSignal, cursor?: string) {
  const answer = await callApi('GET /posts/by-owner', { query: { cursor }, signal });
  noteServerTime(answer.headers);
  return answer;
}

/**
 * A post in a list. In the results of a search it also has `reasons` and `found_by`, which say why and how the search
 * found the post.
 */
export type ListedPost = Post & Omit<PostEntry, 'Post'>;

export function partOf({ found_by = 'words' }: ListedPost): SearchPart {
  return found_by;
}

export type PostPage = { posts: ListedPost[]; nextCursor: string | null };

/**
 * Defines a list of posts. Phones store the list's pages in local storage, so a change of the pages' shape needs a new
 * `SEEN_POSTS_PREFIX`.
 */
export function pagedPosts<const Key extends QueryKey>(
  queryKey: Key,
  ask: (cursor: string, signal: AbortSignal) => Promise<{ body: PostEntry[]; headers: Headers }>,
) {
  return pagedQuery(queryKey, ask, { hold: toPosts });
}

function toPosts(entries: PostEntry[]): { posts: ListedPost[] } {
  return { posts: entries.map(({ Post, ...found }) => ({ ...Post, ...found })) };
}
