import { queryOptions } from '@tanstack/react-query';
import { PAGE_SIZE_MAX } from '#contract/limits.ts';
import type { NewPostInput, Post } from '#contract/posts.ts';
import { api, callApi } from '#web/lib/api-client.ts';
import { isToday } from '#web/lib/format.ts';
import { readNextCursor } from '#web/lib/next-cursor.ts';
import { canBeSentLater, keepForSending } from '#web/lib/outbox-changes.ts';
import { queryKeys, type ViewerId } from '#web/lib/query-keys.ts';

const LIMIT = `${PAGE_SIZE_MAX}`;
/** More than any cupboard holds; a list that never ends is not read. */
const PAGES_MAX = 10;

/** How many the reader has posted into the community today. */
export function todayQuery(viewerId: ViewerId, code: string) {
  return queryOptions({
    queryKey: queryKeys.posts.todayAt(viewerId, code),
    async queryFn({ signal }) {
      let count = 0;
      let cursor: string | null = '';
      for (let page = 0; page < PAGES_MAX && cursor !== null; page++) {
        const answer: Awaited<ReturnType<typeof readOwn>> = await readOwn(cursor, signal);
        const today = answer.posts.filter(({ created_at }) => isToday(created_at));
        count += today.filter(({ community_code }) => community_code === code).length;
        cursor = today.length < answer.posts.length ? null : answer.nextCursor;
      }
      return count;
    },
  });
}

async function readOwn(cursor: string, signal: AbortSignal) {
  const { body, headers } = await callApi('GET /posts/by-owner', { query: { cursor, limit: LIMIT }, signal });
  return { posts: body.map((entry) => entry.Post), nextCursor: readNextCursor(headers) };
}

/** Every found item that waits for its owner, the oldest first. */
export async function readCupboard(code: string): Promise<Post[]> {
  const posts: Post[] = [];
  let cursor: string | null = '';
  for (let page = 0; page < PAGES_MAX && cursor !== null; page++) {
    const query = { community_code: code, open: '1', posted_by: 'finder', limit: LIMIT, cursor } as const;
    const { body, headers }: Awaited<ReturnType<typeof callApi<'GET /posts'>>> = await callApi('GET /posts', { query });
    posts.push(...body.map((entry) => entry.Post));
    cursor = readNextCursor(headers);
  }
  return posts.filter(({ is_hidden }) => !is_hidden).reverse();
}

/** @returns the post, or null where it is kept and sent once there is a network or a Worker for it. */
export async function postAtDesk(input: NewPostInput, idempotencyKey: string): Promise<Post | null> {
  try {
    return await api('POST /posts', { body: input, headers: { 'Idempotency-Key': idempotencyKey } });
  } catch (error) {
    if (canBeSentLater(error) && keepForSending({ input, idempotencyKey }, error)) return null;
    throw error;
  }
}
