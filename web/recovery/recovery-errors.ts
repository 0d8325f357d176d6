import type { TFunction } from 'i18next';
import { ApiError } from '#web/lib/api-client.ts';
import { withDetail } from '#web/lib/describe-failure.ts';

type T = TFunction<'recovery'>;

/** Says that no code was sent, and why if the server says it; without an answer the general sentence. */
export function describeRequestFailure(error: unknown, t: T): string {
  if (!(error instanceof ApiError) || error.status === 0) return t('genericError');
  return withDetail(t('requestFailed'), error);
}

/** The server's sentence if there is one, else ours; without an answer the general one. */
export function describeFailure(error: unknown, t: T, otherwise: 'invalidCode' | 'resetFailed'): string {
  if (!(error instanceof ApiError) || error.status === 0) return t('genericError');
  return error.detail || t(otherwise);
}

/** Whether the server takes the code no more: it is too old, was tried too often, or was replaced or used. */
export function isCodeOver(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'code_expired';
}
