import type { ResetPassword, ResetRequest, Success, VerifyCode } from '#contract/recovery.ts';
import { ApiError, api } from '#web/lib/api-client.ts';
import { AUTH_BASE } from '#web/lib/base-urls.ts';

export function requestCode(input: ResetRequest): Promise<Success> {
  return post('/request-password-reset', input);
}

export function verifyCode(input: VerifyCode): Promise<Success> {
  return post('/verify-code', input);
}

export function resetPassword(input: ResetPassword): Promise<Success> {
  return post('/reset-password', input);
}

/** @throws ApiError also for a 2xx answer that does not say `success`, which the specification asks for (§7). */
async function post(path: string, body: unknown): Promise<Success> {
  const answer = await api<Success | null>('POST', path, { base: AUTH_BASE, body });
  if (answer?.success !== true) throw new ApiError(502, {});
  return answer;
}
