import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Claim } from '#contract/claims.ts';
import { callApi } from './api-client.ts';
import { readNextCursor } from './next-cursor.ts';
import { queryKeys } from './query-keys.ts';
import { noteServerTime } from './server-time.ts';

const PAGE_SIZE = '50';

type ClaimPage = { claims: Claim[]; nextCursor: string | null };

/** The reader's claims on either side, what changed last first. */
export const claimsOptions = infiniteQueryOptions({
  queryKey: queryKeys.claims.list,
  queryFn: async ({ pageParam, signal }): Promise<ClaimPage> => {
    const { body, headers } = await callApi('GET /claims', { query: { limit: PAGE_SIZE, cursor: pageParam }, signal });
    return { claims: body, nextCursor: readNextCursor(headers) };
  },
  initialPageParam: '',
  getNextPageParam: (page) => page.nextCursor,
});

/** One claim. It has two people and many tabs: whoever comes back to it sees it as it is now. */
export function claimOptions(claimId: string) {
  return queryOptions({
    queryKey: queryKeys.claims.one(claimId),
    queryFn: async ({ signal }) => {
      const { body, headers } = await callApi('GET /claims/:id', { params: { id: claimId }, signal });
      noteServerTime(headers);
      return body;
    },
    staleTime: 0,
  });
}

/** Each once: a claim that changes while its list is read may come twice. */
export function listedClaims(list: { pages: ClaimPage[] } | undefined): Claim[] {
  const claims = list?.pages.flatMap((page) => page.claims) ?? [];
  return [...new Map(claims.map((claim) => [claim.id, claim])).values()];
}

/** Whether the next step is the reader's. A paused claim does not wait for its finder. */
export function waitsForReader({ role, status, is_paused }: Claim): boolean {
  return role === 'finder' ? !is_paused && (status === 'waiting' || status === 'accepted') : status === 'asked';
}
