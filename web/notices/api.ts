import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import type { Claim } from '#contract/claims.ts';
import type { BodyOf } from '#contract/endpoints.ts';
import type { NoticeList } from '#contract/notices.ts';
import { api, callApi } from '#web/lib/api-client.ts';
import { waitsForReader } from '#web/lib/claims-query.ts';
import { answerMatch } from '#web/lib/matches-query.ts';
import { readNextCursor } from '#web/lib/next-cursor.ts';
import { queryKeys } from '#web/lib/query-keys.ts';

const PAGE_SIZE = '20';

type NoticePage = NoticeList & { nextCursor: string | null };

/** What the reader was told, newest first; the first page also says how much of it is unread, for the bell. */
export const noticesOptions = infiniteQueryOptions({
  queryKey: queryKeys.notices,
  queryFn: async ({ pageParam, signal }): Promise<NoticePage> => {
    const { body, headers } = await callApi('GET /notices', { query: { limit: PAGE_SIZE, cursor: pageParam }, signal });
    return { ...body, nextCursor: readNextCursor(headers) };
  },
  initialPageParam: '',
  getNextPageParam: (page) => page.nextCursor,
});

export function unreadCountOf(list: { pages: NoticeList[] } | undefined): number {
  return list?.pages[0]?.unread_count ?? 0;
}

/** The claims that wait for the reader of which no unread notice tells: the bell counts each once. */
export function countUntoldClaims(list: { pages: NoticeList[] } | undefined, claims: Claim[]): number {
  const unread = (list?.pages ?? []).flatMap(({ notices }) => notices).filter(({ read_at }) => read_at === null);
  const told = new Set(unread.map(({ message }) => ('claim_id' in message ? message.claim_id : null)));
  return claims.filter((claim) => waitsForReader(claim) && !told.has(claim.id)).length;
}

/** Something new has come: what is on the screen is asked for again, lists of posts when they are next opened. */
export async function refreshAfterNews(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: queryKeys.notices }),
    client.invalidateQueries({ queryKey: queryKeys.me }),
    client.invalidateQueries({ queryKey: queryKeys.claims.all }),
    client.invalidateQueries({ queryKey: queryKeys.matches.all }),
    client.invalidateQueries({ queryKey: queryKeys.communities.all }),
    client.invalidateQueries({ queryKey: queryKeys.posts.all, refetchType: 'none' }),
  ]);
}

/** What this page marks read while the server tells all pages of it, this one too. */
let marking: Promise<unknown> = Promise.resolve();

/** Marks notices read; the bell follows the answer, while the list keeps showing what was new when it was opened. */
export async function markRead(client: QueryClient, notices: BodyOf<'POST /notices/read'>): Promise<void> {
  const asking = api('POST /notices/read', { body: notices, keepalive: true });
  marking = asking.catch(() => undefined);
  const { unread_count } = await asking;
  client.setQueryData(noticesOptions.queryKey, (known) => {
    const [first, ...rest] = known?.pages ?? [];
    return known && first && { ...known, pages: [{ ...first, unread_count }, ...rest] };
  });
}

/** Notices were read elsewhere or retracted. Where nothing is unread any more, they were read here. */
export async function refreshAfterEnd(client: QueryClient): Promise<void> {
  await marking;
  if (unreadCountOf(client.getQueryData(noticesOptions.queryKey)) > 0) {
    await client.invalidateQueries({ queryKey: queryKeys.notices });
  }
}

/** "Not this one", for the reader alone. */
export async function dismissMatch(client: QueryClient, pairId: string): Promise<void> {
  await answerMatch(pairId, 'dismiss');
  void refreshAfterNews(client);
}

/** "Not this one": the two posts are never put together again, for either of their authors. */
export async function dismissNotice(client: QueryClient, noticeId: string): Promise<void> {
  await api('POST /notices/:id/dismiss', { params: { id: noticeId } });
  void refreshAfterNews(client);
}
