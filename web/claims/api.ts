import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Claim } from '#contract/claims.ts';
import type { BodyOf } from '#contract/endpoints.ts';
import { api, callApi } from '#web/api/client.ts';
import { pagedQuery, rowsOf } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { noteServerTime } from '#web/lib/server-time.ts';

const PAGE_SIZE = '50';

/** The user's claims, as claimant or finder, last changed first. */
export const claimsOptions = pagedQuery(queryKeys.claims.list, (cursor, signal) =>
  callApi('GET /claims', { query: { limit: PAGE_SIZE, cursor }, signal }),
);

/** One claim, always refetched: the other party or another tab may have changed it. */
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

/** Returns each claim once. A claim that changes while the pages load may be on two of them. */
export function listedClaims(list: { pages: { rows: Claim[] }[] } | undefined): Claim[] {
  return [...new Map(rowsOf(list).map((claim) => [claim.id, claim])).values()];
}

/** Whether the claim waits for this user's answer. A claim paused by moderation does not wait for its finder. */
export function waitsForReader({ role, status, is_paused }: Claim): boolean {
  return role === 'finder' ? !is_paused && (status === 'waiting' || status === 'accepted') : status === 'asked';
}

export function claimPost(
  postId: string,
  body: BodyOf<'POST /posts/:id/claims'>,
  idempotencyKey: string,
): Promise<Claim> {
  const headers = { 'Idempotency-Key': idempotencyKey };
  return api('POST /posts/:id/claims', { params: { id: postId }, body, headers });
}

/** The steps that a party can take in a claim, each with the input that it needs. */
export type Step =
  | { name: 'accept' | 'decline' | 'undo' | 'withdraw' }
  | { name: 'ask' | 'reply'; text: string }
  | { name: 'hand-over'; code: string };

export function takeStep(id: string, step: Step): Promise<Claim> {
  const params = { id };
  switch (step.name) {
    case 'ask':
    case 'reply':
      return api(`POST /claims/:id/${step.name}`, { params, body: { text: step.text } });
    case 'hand-over':
      return api('POST /claims/:id/hand-over', { params, body: { code: step.code } });
    default:
      return api(`POST /claims/:id/${step.name}`, { params });
  }
}

/** @param idempotencyKey lets the server count a repeated report once. */
export function reportClaim(id: string, body: BodyOf<'POST /claims/:id/reports'>, idempotencyKey: string) {
  const headers = { 'Idempotency-Key': idempotencyKey };
  return api('POST /claims/:id/reports', { params: { id }, body, headers });
}

export function blockOtherSide(id: string): Promise<null> {
  return api('POST /claims/:id/block', { params: { id } });
}

/** Caches and shows a claim from a response. */
export function showClaim(client: QueryClient, claim: Claim): void {
  client.setQueryData(claimOptions(claim.id).queryKey, claim);
  void client.invalidateQueries({ queryKey: queryKeys.claims.list });
}

/**
 * Takes one step in a claim, then shows the claim's current state, whether or not the step succeeded.
 * @param onTaken is called if the step succeeds, while the pressed button is still on the screen.
 */
export function useStep(claim: Claim, onTaken: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (step: Step) => takeStep(claim.id, step),
    onSuccess(next, { name }) {
      onTaken();
      showClaim(client, next);
      if (name === 'hand-over') void client.invalidateQueries({ queryKey: queryKeys.posts.all });
    },
    // A step may fail because the other party or another tab has acted first, or because its response was lost.
    // Refetching shows the current state.
    onError: () => client.invalidateQueries({ queryKey: queryKeys.claims.all }),
  });
}
