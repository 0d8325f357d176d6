import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import { queryOptions } from '@tanstack/react-query';
import type { AdminCommunity, FeedbackState, Switch } from '#contract/admin.ts';
import type { LogQuery, ReportedPost } from '#contract/moderation.ts';
import { withStepUp } from '#web/admin/passkeys/step-up.ts';
import { api, callApi } from '#web/api/client.ts';
import { pagedQuery } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';

export type Status = 'pending' | 'approved';

export function adminCommunitiesQuery(status: Status, search: string) {
  return pagedQuery(queryKeys.admin.communities(status, search), (cursor, signal) =>
    callApi('GET /admin/communities', { query: { status, search, cursor }, signal }),
  );
}

export function feedbackQuery(state: FeedbackState) {
  return pagedQuery(
    queryKeys.admin.feedback(state),
    (cursor, signal) => callApi('GET /admin/feedback', { query: { state, cursor }, signal }),
    { staleTime: 0 },
  );
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
  return pagedQuery(
    queryKeys.admin.log(JSON.stringify(filter)),
    (cursor, signal) => callApi('GET /admin/log', { query: { ...filter, cursor }, signal }),
    { staleTime: 0 },
  );
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

/** Changes one switch. Reads all switches first, because the request sets all of them. */
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
/** A case whose post was deleted before a decision. */
export type DeletedCase = Extract<ReportedPost, { decision: 'post_deleted' }>;
/** A case in the administration's cache. Cases whose post was deleted before a decision have the type `DeletedCase`. */
export type QueuedCase = Exclude<ReportedPost, DeletedCase> & {
  /** Set if the decision also suspended the author. Undoing the decision then reinstates the author. */
  isSuspendedWithIt?: true;
};

export function reportsQuery(status: CaseStatus) {
  return pagedQuery(
    queryKeys.admin.reports(status),
    (cursor, signal) => callApi('GET /admin/reports', { query: { status, cursor }, signal }),
    { hold: (rows): { rows: (QueuedCase | DeletedCase)[] } => ({ rows }) },
  );
}

export type Verdict = { entry: QueuedCase } & (
  | { kind: 'keep' | 'undo' }
  | { kind: 'hide' | 'suspend'; reason: string }
);

/**
 * Sends a decision, which may take two requests. If the second request fails, the caller can call this function again:
 * repeating the first request changes nothing.
 */
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

/** Approves only the name that the admin read: the community may have changed the name since. */
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

/** The members of a community in the order of joining, from whom a platform admin appoints a community admin. */
export function communityMembersQuery(id: string) {
  return pagedQuery(
    queryKeys.admin.members(id),
    (cursor, signal) => callApi('GET /admin/communities/:id/members', { params: { id }, query: { cursor }, signal }),
    { staleTime: 0 },
  );
}

export function appointAdmin({ id, userId }: { id: string; userId: string }): Promise<unknown> {
  const request = { params: { id }, body: { user_id: userId } };
  return withStepUp(() => api('POST /admin/communities/:id/admins', request));
}

export const passkeysQuery = queryOptions({
  queryKey: queryKeys.admin.passkeys,
  queryFn: ({ signal }) => api('GET /me/passkeys', { signal }),
});

/** Asks the browser for a new passkey. @param password is required for the first passkey. */
export async function addPasskey(password: string): Promise<unknown> {
  const answer = await startRegistration({ optionsJSON: await api('POST /me/passkeys/options') });
  const body = { ...answer, ...(password && { current_password: password }) };
  return withStepUp(() => api('POST /me/passkeys', { body }));
}

/** Asks the browser for an existing passkey, and sends the proof to the server. */
export async function showPasskey(): Promise<unknown> {
  const answer = await startAuthentication({ optionsJSON: await api('POST /admin/step-up/options') });
  return api('POST /admin/step-up', { body: answer });
}

export function removePasskey(id: string): Promise<unknown> {
  return withStepUp(() => api('DELETE /me/passkeys/:id', { params: { id } }));
}

/** Returns the text key for an error of the browser's passkey dialog, or null for any other error. */
export function whyNotShown(error: unknown): 'passkeyKnown' | 'passkeyNotShown' | null {
  if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return 'passkeyKnown';
  const isBrowsers = error instanceof WebAuthnError || error instanceof DOMException;
  return isBrowsers ? 'passkeyNotShown' : null;
}
