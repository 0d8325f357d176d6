import type { TFunction } from 'i18next';
import { ApiError, withReference } from '#web/lib/api-client.ts';

type T = TFunction<'recovery'>;

/** A server that answered failed to send, one that did not is an error. Why to wait, it says itself. */
export function describeRequestFailure(error: unknown, t: T): string {
  if (!(error instanceof ApiError) || error.status === 0) return t('genericError');
  return error.status === 429 && error.detail ? error.detail : withReference(t('requestFailed'), error);
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
