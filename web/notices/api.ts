import type { QueryClient } from '@tanstack/react-query';
import type { Claim } from '#contract/claims.ts';
import type { BodyOf } from '#contract/endpoints.ts';
import type { NoticeList } from '#contract/notices.ts';
import { api, callApi } from '#web/api/client.ts';
import { pagedQuery } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { waitsForReader } from '#web/claims/api.ts';
import { answerMatch } from '#web/matches/api.ts';
import { arePushesAllowed } from '#web/push/support.ts';

const PAGE_SIZE = '20';

/** The user's notices, newest first. The first page also has the count of unread notices, for the bell. */
export const noticesOptions = pagedQuery(
  queryKeys.notices,
  (cursor, signal) => callApi('GET /notices', { query: { limit: PAGE_SIZE, cursor }, signal }),
  { hold: (page) => page },
);

export function unreadCountOf(list: { pages: NoticeList[] } | undefined): number {
  return list?.pages[0]?.unread_count ?? 0;
}

/**
 * Returns how many claims wait for the user and have no unread notice. The bell shows the sum of these claims and the
 * unread notices.
 */
export function countUntoldClaims(list: { pages: NoticeList[] } | undefined, claims: Claim[]): number {
  const unread = (list?.pages ?? []).flatMap(({ notices }) => notices).filter(({ read_at }) => read_at === null);
  const told = new Set(unread.map(({ message }) => ('claim_id' in message ? message.claim_id : null)));
  return claims.filter((claim) => waitsForReader(claim) && !told.has(claim.id)).length;
}

/** Refetches what a new notice makes stale. Lists of posts are refetched only when they next open. */
export async function refreshAfterNotice(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: queryKeys.notices }),
    client.invalidateQueries({ queryKey: queryKeys.me }),
    client.invalidateQueries({ queryKey: queryKeys.claims.all }),
    client.invalidateQueries({ queryKey: queryKeys.matches.all }),
    client.invalidateQueries({ queryKey: queryKeys.communities.all }),
    client.invalidateQueries({ queryKey: queryKeys.posts.all, refetchType: 'none' }),
  ]);
}

/** This page's last request that marked notices as read. `refreshAfterEnd` waits for it. */
let marking: Promise<unknown> = Promise.resolve();

/**
 * Marks notices as read on the server and lowers the bell's count. In the cached list the notices stay unread, so that
 * the screen can highlight them.
 */
export async function markRead(client: QueryClient, notices: BodyOf<'POST /notices/read'>): Promise<void> {
  const asking = api('POST /notices/read', { body: notices, keepalive: true });
  marking = asking.catch(() => undefined);
  const { unread_count } = await asking;
  client.setQueryData(noticesOptions.queryKey, (known) => {
    const [first, ...rest] = known?.pages ?? [];
    return known && first && { ...known, pages: [{ ...first, unread_count }, ...rest] };
  });
}

/**
 * Refetches notices after some were withdrawn, or were read on another page or device. Does nothing if no notice is
 * unread, as when this page has just marked all notices as read.
 */
export async function refreshAfterEnd(client: QueryClient): Promise<void> {
  await marking;
  if (unreadCountOf(client.getQueryData(noticesOptions.queryKey)) > 0) {
    await client.invalidateQueries({ queryKey: queryKeys.notices });
  }
}

/** "Not this one" on a match card: dismisses the match for the user only. */
export async function dismissMatch(client: QueryClient, pairId: string): Promise<void> {
  await answerMatch(pairId, 'dismiss');
  void refreshAfterNotice(client);
}

/** "Not this one" on a notice: the two posts never match again, for either author. */
export async function dismissNotice(client: QueryClient, noticeId: string): Promise<void> {
  await api('POST /notices/:id/dismiss', { params: { id: noticeId } });
  void refreshAfterNotice(client);
}

/** Makes the service worker close the notifications of notices that were read or acknowledged. */
export function closePhoneNotifications(ids: string[]): void {
  if (ids.length === 0 || !arePushesAllowed()) return;
  void navigator.serviceWorker.getRegistration().then((registration) => {
    registration?.active?.postMessage({ type: 'notices-ended', ids });
  });
}
