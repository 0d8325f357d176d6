import { queryOptions } from '@tanstack/react-query';
import { PAGE_SIZE_MAX } from '#contract/limits.ts';
import type { NewPostInput, Post } from '#contract/posts.ts';
import { api, callApi, newIdempotencyKey } from '#web/api/client.ts';
import { readNextCursor } from '#web/api/queries.ts';
import { queryKeys, type ViewerId } from '#web/api/query-keys.ts';
import { isToday } from '#web/lib/format.ts';
import { keepOnPhone } from '#web/lib/phone-storage.ts';
import { canBeSentLater, keepForSending } from '#web/offline/outbox-changes.ts';

const LIMIT = `${PAGE_SIZE_MAX}`;
/**
 * The app reads at most this many pages of posts. No lost-property office has more pages, but a faulty cursor could
 * repeat pages without end.
 */
const PAGES_MAX = 10;

/** How many posts the user has made in the community today. */
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

/** Returns the community's open posts by finders, without hidden posts, oldest first. */
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

/**
 * Posts an item. Without a network, stores the post on the phone, which sends it later.
 * @returns the post, or null if it is sent later.
 */
export async function postAtDesk(input: NewPostInput, idempotencyKey: string): Promise<Post | null> {
  try {
    return await api('POST /posts', { body: input, headers: { 'Idempotency-Key': idempotencyKey } });
  } catch (error) {
    if (canBeSentLater(error) && keepForSending({ input, idempotencyKey }, error)) return null;
    throw error;
  }
}

/**
 * The values of the form on the desk screen, where a lost-property office posts found things. `phone_number` is null
 * until the user fills in the field. Until then, the form uses the account's number.
 */
export type DeskValues = {
  title: string;
  description: string;
  owner_first_name: string;
  owner_last_name: string;
  location: string;
  kept_at: string;
  phone_number: string | null;
};
/** The draft of a post. Its idempotency key ensures that a repeated submit creates only one post. */
export type DeskDraft = { values: DeskValues; idempotencyKey: string };

const EMPTY: DeskValues = {
  title: '',
  description: '',
  owner_first_name: '',
  owner_last_name: '',
  location: '',
  kept_at: '',
  phone_number: null,
};

/** Returns the storage key of the draft. Each account has one draft for each community. */
export function deskKey(userId: string | null, communityId: string): string {
  return `deskDraft:${userId}:${communityId}`;
}

/**
 * Reads the stored draft. A reload therefore loses nothing, and the next day's form starts with the last post's places
 * and phone number (`nextDesk`).
 */
export function readDesk(key: string): DeskDraft {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<DeskDraft>;
    const values = { ...EMPTY, ...kept.values };
    return {
      // An empty phone number in a draft counts as not filled in, so that the form shows the account's number again.
      values: { ...values, phone_number: values.phone_number || null },
      idempotencyKey: kept.idempotencyKey ?? newIdempotencyKey(),
    };
  } catch {
    return { values: EMPTY, idempotencyKey: newIdempotencyKey() };
  }
}

/** Stores the draft. If the storage is full or forbidden, the draft is lost after a reload, but the form works. */
export function keepDesk(key: string, draft: DeskDraft): void {
  if (!keepOnPhone(key, JSON.stringify(draft))) console.warn('The draft could not be kept');
}

/** Returns the draft for the next item, with the last item's places (where found, where kept) and phone number. */
export function nextDesk({ location, kept_at, phone_number }: DeskValues): DeskDraft {
  return { values: { ...EMPTY, location, kept_at, phone_number }, idempotencyKey: newIdempotencyKey() };
}

/** Returns the draft as a finder's post in the community. */
export function toDeskPost(values: DeskValues, communityCode: string): NewPostInput {
  const phone_number = values.phone_number ?? '';
  return { ...values, phone_number, posted_by: 'finder', contact: 'number', community_code: communityCode };
}
