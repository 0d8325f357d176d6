import { infiniteQueryOptions } from '@tanstack/react-query';
import type { AdminCommunity } from '#contract/communities.ts';
import type { FeedbackEntry } from '#contract/feedback.ts';
import { api, callApi } from '#web/lib/api-client.ts';
import { readNextCursor } from '#web/lib/next-cursor.ts';

export type Status = 'pending' | 'approved';

export const ADMIN_COMMUNITIES_KEY = ['admin', 'communities'] as const;

export function adminCommunitiesQuery(status: Status, search: string) {
  return infiniteQueryOptions({
    queryKey: [...ADMIN_COMMUNITIES_KEY, status, search],
    queryFn: ({ pageParam, signal }) =>
      readPage<AdminCommunity>('/admin/communities', { status, search, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

export const feedbackQuery = infiniteQueryOptions({
  queryKey: ['admin', 'feedback'],
  queryFn: ({ pageParam, signal }) => readPage<FeedbackEntry>('/admin/feedback', { cursor: pageParam }, signal),
  initialPageParam: '',
  getNextPageParam: (page) => page.nextCursor,
});

export function approveCommunity(id: string): Promise<unknown> {
  return api('POST', `/admin/communities/${encodeURIComponent(id)}/approve`);
}

export function rejectCommunity({ id, reason }: { id: string; reason: string }): Promise<unknown> {
  return api('POST', `/admin/communities/${encodeURIComponent(id)}/reject`, { body: { reason } });
}

async function readPage<Row>(path: string, query: Record<string, string>, signal: AbortSignal) {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const { body, headers } = await callApi<Row[]>('GET', `${path}?${new URLSearchParams(given)}`, { signal });
  return { rows: body, nextCursor: readNextCursor(headers) };
}
