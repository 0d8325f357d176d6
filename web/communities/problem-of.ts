import type { TFunction } from 'i18next';
import { ApiError } from '#web/lib/api-client.ts';
import { describeFailure } from '#web/lib/describe-failure.ts';

/** Why a step failed: the server's sentence, else that there was no answer, or that it went wrong. */
export function problemOf(error: Error, t: TFunction<'community'>): string {
  if (error instanceof ApiError && error.status === 0) return t('noAnswer');
  return describeFailure(error, t('failed'));
}
