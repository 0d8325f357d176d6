import type { TFunction } from 'i18next';
import type { BodyOf } from '#contract/endpoints.ts';
import type { Success } from '#contract/recovery.ts';
import { ApiError, api, withDetail } from '#web/api/client.ts';

export function requestCode(body: BodyOf<'POST /auth/request-password-reset'>): Promise<Success> {
  return succeed(api('POST /auth/request-password-reset', { body }));
}

export function verifyCode(body: BodyOf<'POST /auth/verify-code'>): Promise<Success> {
  return succeed(api('POST /auth/verify-code', { body }));
}

export function resetPassword(body: BodyOf<'POST /auth/reset-password'>): Promise<Success> {
  return succeed(api('POST /auth/reset-password', { body }));
}

/**
 * Returns the response of a recovery request.
 * @throws ApiError for a failed request, and for a 2xx response without `success`: docs/product.md A5 requires
 * `success`.
 */
async function succeed(answering: Promise<Success | null>): Promise<Success> {
  const answer = await answering;
  if (answer?.success !== true) throw new ApiError(502, {});
  return answer;
}

type T = TFunction<'recovery'>;

/**
 * Says that no verification code was sent, with the server's reason. Without a response, returns a general sentence.
 */
export function describeRequestFailure(error: unknown, t: T): string {
  if (!(error instanceof ApiError) || error.status === 0) return t('genericError');
  return withDetail(t('requestFailed'), error);
}

/** Whether the verification code accepts no more guesses: it has expired, or was guessed wrongly too often. */
export function isCodeOver(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'code_expired';
}
