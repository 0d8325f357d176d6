import { type InfiniteData, infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import type { BodyOf } from '#contract/endpoints.ts';
import type { NewPostInput, Outcome, Post, PostInput } from '#contract/posts.ts';
import { ApiError, api, callApi } from '#web/lib/api-client.ts';
import { type PostPage, toPostPage } from '#web/lib/post-list-query.ts';
import { queryKeys, type ViewerId, viewerOf } from '#web/lib/query-keys.ts';
import { noteServerTime } from '#web/lib/server-time.ts';

/** One's own posts, newest first. */
export function ownPostsOptions(viewerId: ViewerId) {
  return infiniteQueryOptions({
    queryKey: queryKeys.posts.own(viewerId),
    queryFn: ({ pageParam, signal }) => readOwnPosts(signal, pageParam),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** The first page of one's own posts, as they are at this moment. */
export async function readNewestOwnPosts(signal: AbortSignal): Promise<Post[]> {
  return (await readOwnPosts(signal)).posts;
}

/** Makes the post of a draft. The key makes a repeated request harmless; with another text it is refused. */
export function createPost(input: NewPostInput, idempotencyKey: string): Promise<Post> {
  return api('POST /posts', { body: input, headers: { 'Idempotency-Key': idempotencyKey } });
}

export function updatePost(postId: string, input: PostInput): Promise<Post> {
  return api('PUT /posts/:id', { params: { id: postId }, body: input });
}

/**
 * A post that is gone already is as deleted as one could wish.
 * @param token its author's, who may have signed out or closed the page by now.
 */
export async function deletePost(postId: string, token: string | undefined): Promise<void> {
  try {
    await api('DELETE /posts/:id', { params: { id: postId }, token, keepalive: true });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'post_not_found')) throw error;
  }
}

/** @param idempotencyKey makes a report that is sent once more the same one. */
export function reportPost(postId: string, input: BodyOf<'POST /posts/:id/reports'>, idempotencyKey: string) {
  const headers = { 'Idempotency-Key': idempotencyKey };
  return api('POST /posts/:id/reports', { params: { id: postId }, body: input, headers });
}

export function blockAuthor(postId: string): Promise<null> {
  return api('POST /posts/:id/block-author', { params: { id: postId } });
}

/** Takes back the block that was made a moment ago, at the post of this title. */
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

/** Whether anybody has posted a found thing with this number. In the body: numbers do not belong in addresses. */
export function lookUpIdentifier(identifier: string): Promise<{ found: boolean }> {
  return api('POST /identifiers/lookup', { body: { identifier } });
}

export function wakePost(postId: string): Promise<Post> {
  return api('POST /posts/:id/wake', { params: { id: postId } });
}

/** Changes a post in every list that holds it, or takes it out where `change` answers null. */
export function changeCachedPost(client: QueryClient, postId: string, change: (post: Post) => Post | null): void {
  const inPage = (page: PostPage): PostPage => ({
    ...page,
    posts: page.posts.flatMap((post) => (post.id === postId ? (change(post) ?? []) : post)),
  });
  // Counts are kept there too.
  client.setQueriesData<InfiniteData<PostPage> | Post | number>({ queryKey: queryKeys.posts.all }, (data) =>
    typeof data === 'object' && 'pages' in data ? { ...data, pages: data.pages.map(inPage) } : data,
  );
}

/** A post as the viewer's lists last had it, and when. */
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

async function readOwnPosts(signal: AbortSignal, cursor?: string): Promise<PostPage> {
  const answer = await callApi('GET /posts/by-owner', { query: { cursor }, signal });
  noteServerTime(answer.headers);
  return toPostPage(answer);
}
