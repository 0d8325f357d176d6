import type { QueryClient } from '@tanstack/react-query';
import type { Claim } from '#contract/claims.ts';
import type { BodyOf } from '#contract/endpoints.ts';
import { api } from '#web/lib/api-client.ts';
import { claimOptions } from '#web/lib/claims-query.ts';
import { queryKeys } from '#web/lib/query-keys.ts';

export function claimPost(
  postId: string,
  body: BodyOf<'POST /posts/:id/claims'>,
  idempotencyKey: string,
): Promise<Claim> {
  const headers = { 'Idempotency-Key': idempotencyKey };
  return api('POST /posts/:id/claims', { params: { id: postId }, body, headers });
}

/** What either side does with a claim, with what they write to it. */
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

/** @param idempotencyKey makes a report that is sent once more the same one. */
export function reportClaim(id: string, body: BodyOf<'POST /claims/:id/reports'>, idempotencyKey: string) {
  const headers = { 'Idempotency-Key': idempotencyKey };
  return api('POST /claims/:id/reports', { params: { id }, body, headers });
}

export function blockOtherSide(id: string): Promise<null> {
  return api('POST /claims/:id/block', { params: { id } });
}

/** Shows a claim as the server has just answered it. */
export function showClaim(client: QueryClient, claim: Claim): void {
  client.setQueryData(claimOptions(claim.id).queryKey, claim);
  void client.invalidateQueries({ queryKey: queryKeys.claims.list });
}
