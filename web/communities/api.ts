import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
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
import { api, callApi } from '#web/lib/api-client.ts';
import { readNextCursor } from '#web/lib/next-cursor.ts';
import { queryKeys } from '#web/lib/query-keys.ts';

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

/** The members in the order of joining, a page after the other. */
export function membersQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: queryKeys.communities.members(id),
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: `${PAGE_SIZE_MAX}`, cursor: pageParam };
      const { body, headers } = await callApi('GET /communities/:id/members', { params: { id }, query, signal });
      return { members: body, nextCursor: readNextCursor(headers) };
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** @returns bare base64 of the PNG. */
export async function fetchQrCode(id: string): Promise<string> {
  return (await api('GET /communities/:id/qrcode/base64', { params: { id } })).qr_code;
}

export function changeCommunity(id: string, change: CommunityChange): Promise<Community> {
  return api('PATCH /communities/:id', { params: { id }, body: change });
}

/** @returns the new code; the one before lets nobody in from then on. */
export async function renewAccessCode(id: string): Promise<string> {
  return (await api('POST /communities/:id/access-code', { params: { id } })).access_code;
}

/** In seven days, until which it can be taken back. */
export function closeCommunity(id: string): Promise<{ closes_at: string }> {
  return api('DELETE /communities/:id', { params: { id } });
}

export function reopenCommunity(id: string): Promise<Community> {
  return api('POST /communities/:id/reopen', { params: { id } });
}

export function setRole(id: string, userId: string, role: MemberRole): Promise<CommunityMember> {
  return api('PUT /communities/:id/members/:userId/role', { params: { id, userId }, body: { role } });
}

/** Makes them an admin before the reader is none: sent once more, it goes on where it failed. */
export async function handOver(id: string, userId: string): Promise<void> {
  await setRole(id, userId, 'admin');
  await setRole(id, 'me', 'member');
}

export function removeMember(id: string, userId: string): Promise<Closing | null> {
  return api('DELETE /communities/:id/members/:userId', { params: { id, userId } });
}

/** @returns when it closes, for whoever was alone in it. */
export function leaveCommunity(id: string): Promise<Closing | null> {
  return removeMember(id, 'me');
}

/** Who asks to join, who has waited longest first. */
export function joinRequestsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: queryKeys.communities.joinRequests(id),
    queryFn: async ({ pageParam, signal }) => {
      const request = { params: { id }, query: { cursor: pageParam }, signal };
      const { body, headers } = await callApi('GET /communities/:id/join-requests', request);
      return { requests: body, nextCursor: readNextCursor(headers) };
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    // Another admin may have answered meanwhile.
    staleTime: 0,
  });
}

export type JoinAnswer = { userId: string; isAccepted: boolean };

export function answerJoinRequest(id: string, { userId, isAccepted }: JoinAnswer): Promise<null> {
  const params = { id, userId };
  return isAccepted
    ? api('POST /communities/:id/join-requests/:userId/accept', { params })
    : api('POST /communities/:id/join-requests/:userId/decline', { params });
}

/** The communities that can be found by name, a page after the other. */
export function listedQuery(search: string) {
  return infiniteQueryOptions({
    queryKey: queryKeys.communities.listed(search),
    queryFn: async ({ pageParam, signal }) => {
      const { body, headers } = await callApi('GET /communities/approved', {
        query: { search, cursor: pageParam },
        signal,
      });
      return { communities: body, nextCursor: readNextCursor(headers) };
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** @param idempotencyKey makes a request that is sent once more the same one. */
export function askToJoin(id: string, message: string, idempotencyKey: string): Promise<MadeJoinRequest> {
  const headers = { 'Idempotency-Key': idempotencyKey };
  return api('POST /communities/:id/join-requests', { params: { id }, body: { message }, headers });
}
