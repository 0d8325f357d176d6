import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { CommunityInput, CreatedCommunity, JoinedCommunity } from '#contract/communities.ts';
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

export function communityQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.communities.one(id),
    queryFn: ({ signal }) => api('GET /communities/:id', { params: { id }, signal }),
  });
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
