import type { TFunction } from 'i18next';
import { ApiError, withReference } from '#web/lib/api-client.ts';

/** Why a step was not taken: the server's own sentence where there is one. */
export function problemOf(error: Error, t: TFunction<'claims'>): string {
  if (!(error instanceof ApiError)) return t('stepFailed');
  if (error.status === 0) return t('noAnswer');
  return error.detail || withReference(t('stepFailed'), error);
}
