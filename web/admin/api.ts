import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AdminCommunity } from '#contract/admin.ts';
import type { FeedbackState } from '#contract/feedback.ts';
import type { LogQuery, ReportedPost } from '#contract/moderation.ts';
import type { Switch } from '#contract/operating.ts';
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

export function feedbackQuery(state: FeedbackState) {
  return infiniteQueryOptions({
    queryKey: queryKeys.admin.feedback(state),
    queryFn: async ({ pageParam, signal }) =>
      toPage(await callApi('GET /admin/feedback', { query: { state, cursor: pageParam }, signal })),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}

export function markFeedbackDone(id: string): Promise<unknown> {
  return withStepUp(() => api('POST /admin/feedback/:id/done', { params: { id } }));
}

export function searchQuery(q: string) {
  return queryOptions({
    queryKey: queryKeys.admin.search(q),
    queryFn: ({ signal }) => api('GET /admin/search', { query: { q }, signal }),
    enabled: q !== '',
  });
}

export function personQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.admin.person(id),
    queryFn: ({ signal }) => api('GET /admin/users/:id', { params: { id }, signal }),
    staleTime: 0,
  });
}

export function postQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.admin.post(id),
    queryFn: ({ signal }) => api('GET /admin/posts/:id', { params: { id }, signal }),
    staleTime: 0,
  });
}

export type LogFilter = Pick<LogQuery, 'action' | 'target_type' | 'actor_id'>;

export function logQuery(filter: LogFilter) {
  return infiniteQueryOptions({
    queryKey: queryKeys.admin.log(JSON.stringify(filter)),
    queryFn: async ({ pageParam, signal }) =>
      toPage(await callApi('GET /admin/log', { query: { ...filter, cursor: pageParam }, signal })),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}

export const adminsQuery = queryOptions({
  queryKey: queryKeys.admin.admins,
  queryFn: ({ signal }) => api('GET /admin/admins', { signal }),
});

export function revokeAdmin(userId: string): Promise<unknown> {
  return withStepUp(() => api('DELETE /admin/admins/:userId', { params: { userId } }));
}

export const weekQuery = queryOptions({
  queryKey: queryKeys.admin.week,
  queryFn: ({ signal }) => api('GET /admin/week', { signal }),
  staleTime: 0,
});

export const switchesQuery = queryOptions({
  queryKey: queryKeys.admin.switches,
  queryFn: ({ signal }) => api('GET /admin/switches', { signal }),
  staleTime: 0,
});

/** Turns one and leaves the others as they are by now: somebody else may have turned them since this page was loaded. */
export function turnSwitch({ name, isOn }: { name: Switch; isOn: boolean }): Promise<unknown> {
  return withStepUp(async () => {
    const switches = await api('GET /admin/switches');
    return api('PUT /admin/switches', { body: { ...switches, [name]: isOn } });
  });
}

export function suspendPerson({ id, reason }: { id: string; reason: string }): Promise<unknown> {
  return withStepUp(() => api('POST /admin/users/:id/suspend', { params: { id }, body: { reason } }));
}

export function reinstatePerson({ id, reason }: { id: string; reason: string | null }): Promise<unknown> {
  return withStepUp(() => api('POST /admin/users/:id/reinstate', { params: { id }, body: { reason } }));
}

export type CaseStatus = ReportedPost['status'];
/** A case whose post was deleted before anybody decided. */
export type DeletedCase = Extract<ReportedPost, { decision: 'post_deleted' }>;
/** A reported post as it stands in a list here. */
export type QueuedCase = Exclude<ReportedPost, DeletedCase> & {
  /** Its author was suspended together with it, and is reinstated when that is undone. */
  isSuspendedWithIt?: true;
};

export function reportsQuery(status: CaseStatus) {
  return infiniteQueryOptions({
    queryKey: queryKeys.admin.reports(status),
    queryFn: async ({
      pageParam,
      signal,
    }): Promise<{ rows: (QueuedCase | DeletedCase)[]; nextCursor: string | null }> =>
      toPage(await callApi('GET /admin/reports', { query: { status, cursor: pageParam }, signal })),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

export type Verdict = { entry: QueuedCase } & (
  | { kind: 'keep' | 'undo' }
  | { kind: 'hide' | 'suspend'; reason: string }
);

/** What takes two steps can be sent once more when the second one fails: the first one then changes nothing. */
export async function carryOutVerdict(verdict: Verdict): Promise<void> {
  const { post, author, isSuspendedWithIt } = verdict.entry;
  const params = { id: post.id };
  switch (verdict.kind) {
    case 'keep':
      await withStepUp(() => api('POST /admin/posts/:id/restore', { params, body: { reason: null } }));
      return;
    case 'undo':
      if (isSuspendedWithIt) await reinstatePerson({ id: author.id, reason: null });
      await withStepUp(() => api('POST /admin/posts/:id/undo', { params }));
      return;
    case 'suspend':
      await suspendPerson({ id: author.id, reason: verdict.reason });
      await withStepUp(() => api('POST /admin/posts/:id/hide', { params, body: { reason: verdict.reason } }));
      return;
    case 'hide':
      await withStepUp(() => api('POST /admin/posts/:id/hide', { params, body: { reason: verdict.reason } }));
  }
}

/** Approves what was read and nothing else: a new name may have been exchanged for another one since. */
export function approveCommunity({ id, name, pending_name }: AdminCommunity): Promise<unknown> {
  const body = { name: pending_name ?? name };
  return withStepUp(() => api('POST /admin/communities/:id/approve', { params: { id }, body }));
}

export function rejectCommunity({ id, reason }: { id: string; reason: string }): Promise<unknown> {
  return withStepUp(() => api('POST /admin/communities/:id/reject', { params: { id }, body: { reason } }));
}

export function suspendCommunity({ id, reason }: { id: string; reason: string }): Promise<unknown> {
  return withStepUp(() => api('POST /admin/communities/:id/suspend', { params: { id }, body: { reason } }));
}

export function reinstateCommunity(id: string): Promise<unknown> {
  return withStepUp(() => api('POST /admin/communities/:id/reinstate', { params: { id }, body: { reason: null } }));
}

/** The members of a community, in the order of joining: one of them is to run it. */
export function communityMembersQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: queryKeys.admin.members(id),
    queryFn: async ({ pageParam, signal }) => {
      const request = { params: { id }, query: { cursor: pageParam }, signal };
      return toPage(await callApi('GET /admin/communities/:id/members', request));
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}

export function appointAdmin({ id, userId }: { id: string; userId: string }): Promise<unknown> {
  const request = { params: { id }, body: { user_id: userId } };
  return withStepUp(() => api('POST /admin/communities/:id/admins', request));
}

function toPage<Row>({ body, headers }: { body: Row[]; headers: Headers }) {
  return { rows: body, nextCursor: readNextCursor(headers) };
}
