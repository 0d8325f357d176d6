import type { BodyOf } from '#contract/endpoints.ts';
import type { Success } from '#contract/recovery.ts';
import { ApiError, api } from '#web/lib/api-client.ts';

export function requestCode(body: BodyOf<'POST /auth/request-password-reset'>): Promise<Success> {
  return succeed(api('POST /auth/request-password-reset', { body }));
}

export function verifyCode(body: BodyOf<'POST /auth/verify-code'>): Promise<Success> {
  return succeed(api('POST /auth/verify-code', { body }));
}

export function resetPassword(body: BodyOf<'POST /auth/reset-password'>): Promise<Success> {
  return succeed(api('POST /auth/reset-password', { body }));
}

/** @throws ApiError also for a 2xx answer that does not say `success`, which docs/product.md A5 asks for. */
async function succeed(answering: Promise<Success | null>): Promise<Success> {
  const answer = await answering;
  if (answer?.success !== true) throw new ApiError(502, {});
  return answer;
}
