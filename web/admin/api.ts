import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, callApi } from '#web/lib/api-client.ts';
import { readNextCursor } from '#web/lib/next-cursor.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { withStepUp } from './step-up.ts';

export type Status = 'pending' | 'approved';

export function adminCommunitiesQuery(status: Status, search: string) {
  return infiniteQueryOptions({
    queryKey: queryKeys.admin.communities(status, search),
    queryFn: async ({ pageParam, signal }) =>
      toPage(await callApi('GET /admin/communities', { query: { status, search, cursor: pageParam }, signal })),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

export const feedbackQuery = infiniteQueryOptions({
  queryKey: queryKeys.admin.feedback,
  queryFn: async ({ pageParam, signal }) =>
    toPage(await callApi('GET /admin/feedback', { query: { cursor: pageParam }, signal })),
  initialPageParam: '',
  getNextPageParam: (page) => page.nextCursor,
});

export function approveCommunity(id: string): Promise<unknown> {
  return withStepUp(() => api('POST /admin/communities/:id/approve', { params: { id } }));
}

export function rejectCommunity({ id, reason }: { id: string; reason: string }): Promise<unknown> {
  return withStepUp(() => api('POST /admin/communities/:id/reject', { params: { id }, body: { reason } }));
}

function toPage<Row>({ body, headers }: { body: Row[]; headers: Headers }) {
  return { rows: body, nextCursor: readNextCursor(headers) };
}
