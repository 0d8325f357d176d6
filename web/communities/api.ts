import { queryOptions } from '@tanstack/react-query';
import type {
  Closing,
  Community,
  CommunityChange,
  CommunityInput,
  CommunityMember,
  CreatedCommunity,
  JoinedCommunity,
  MadeJoinRequest,
  MemberRole,
} from '#contract/communities.ts';
import { PAGE_SIZE_MAX } from '#contract/limits.ts';
import { api, callApi } from '#web/api/client.ts';
import { pagedQuery } from '#web/api/queries.ts';
import { queryKeys, type ViewerId } from '#web/api/query-keys.ts';

export function createCommunity(input: CommunityInput): Promise<CreatedCommunity> {
  return api('POST /communities', { body: input });
}

export function joinCommunity(accessCode: string): Promise<JoinedCommunity> {
  return api('POST /communities/join', { body: { access_code: accessCode } });
}

export function statsQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.communities.stats(id),
    queryFn: ({ signal }) => api('GET /communities/:id/stats', { params: { id }, signal }),
  });
}

/** The members in the order of joining, page by page. */
export function membersQuery(id: string) {
  return pagedQuery(queryKeys.communities.members(id), (cursor, signal) => {
    const query = { limit: `${PAGE_SIZE_MAX}`, cursor };
    return callApi('GET /communities/:id/members', { params: { id }, query, signal });
  });
}

/** @returns the PNG in base64, without a `data:` prefix. */
export async function fetchQrCode(id: string): Promise<string> {
  return (await api('GET /communities/:id/qrcode/base64', { params: { id } })).qr_code;
}

export function changeCommunity(id: string, change: CommunityChange): Promise<Community> {
  return api('PATCH /communities/:id', { params: { id }, body: change });
}

/** @returns the new access code. The old one stops working at once. */
export async function renewAccessCode(id: string): Promise<string> {
  return (await api('POST /communities/:id/access-code', { params: { id } })).access_code;
}

/** Closes the community in seven days. Until then an admin can cancel the closing. */
export function closeCommunity(id: string): Promise<{ closes_at: string }> {
  return api('DELETE /communities/:id', { params: { id } });
}

export function reopenCommunity(id: string): Promise<Community> {
  return api('POST /communities/:id/reopen', { params: { id } });
}

export function setRole(id: string, userId: string, role: MemberRole): Promise<CommunityMember> {
  return api('PUT /communities/:id/members/:userId/role', { params: { id, userId }, body: { role } });
}

/**
 * Makes the member an admin, then makes the user an ordinary member. If the second request fails, the caller can call
 * `handOver` again: the first request then changes nothing.
 */
export async function handOver(id: string, userId: string): Promise<void> {
  await setRole(id, userId, 'admin');
  await setRole(id, 'me', 'member');
}

export function removeMember(id: string, userId: string): Promise<Closing | null> {
  return api('DELETE /communities/:id/members/:userId', { params: { id, userId } });
}

/** @returns the time at which the community closes, if the user was its only member; otherwise null. */
export function leaveCommunity(id: string): Promise<Closing | null> {
  return removeMember(id, 'me');
}

/** The open requests to join, oldest first. */
export function joinRequestsQuery(id: string) {
  return pagedQuery(
    queryKeys.communities.joinRequests(id),
    (cursor, signal) => callApi('GET /communities/:id/join-requests', { params: { id }, query: { cursor }, signal }),
    // Refetched on every visit, because another admin may have answered.
    { staleTime: 0 },
  );
}

export type JoinAnswer = { userId: string; isAccepted: boolean };

export function answerJoinRequest(id: string, { userId, isAccepted }: JoinAnswer): Promise<null> {
  const params = { id, userId };
  return isAccepted
    ? api('POST /communities/:id/join-requests/:userId/accept', { params })
    : api('POST /communities/:id/join-requests/:userId/decline', { params });
}

/** The communities that can be found by name, page by page. */
export function listedQuery(search: string) {
  return pagedQuery(queryKeys.communities.listed(search), (cursor, signal) =>
    callApi('GET /communities/approved', { query: { search, cursor }, signal }),
  );
}

/** @param idempotencyKey lets the server count a repeated request once. */
export function askToJoin(id: string, message: string, idempotencyKey: string): Promise<MadeJoinRequest> {
  const headers = { 'Idempotency-Key': idempotencyKey };
  return api('POST /communities/:id/join-requests', { params: { id }, body: { message }, headers });
}

/** The number of posts on the community's page for members. A link there leads to the searchable list of all posts. */
const LATEST_SHOWN = '5';

export function latestPostsQuery(viewerId: ViewerId, code: string) {
  return queryOptions({
    queryKey: queryKeys.posts.latestOf(viewerId, code),
    queryFn: async ({ signal }) => {
      const query = { community_code: code, limit: LATEST_SHOWN } as const;
      return (await api('GET /posts', { query, signal })).map((entry) => entry.Post);
    },
  });
}

type InCommunity = { communityId: string; postId: string };

export function hidePost({ communityId: id, postId, reason }: InCommunity & { reason: string }): Promise<null> {
  return api('POST /communities/:id/posts/:postId/hide', { params: { id, postId }, body: { reason } });
}

export function restorePost({ communityId: id, postId }: InCommunity): Promise<null> {
  return api('POST /communities/:id/posts/:postId/restore', { params: { id, postId }, body: { reason: null } });
}
