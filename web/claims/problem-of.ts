import type { TFunction } from 'i18next';
import { ApiError } from '#web/lib/api-client.ts';
import { describeFailure } from '#web/lib/describe-failure.ts';

/** Why a step was not taken: the server's own sentence where there is one. */
export function problemOf(error: Error, t: TFunction<'claims'>): string {
  const hasNoAnswer = error instanceof ApiError && error.status === 0;
  return hasNoAnswer ? t('noAnswer') : describeFailure(error, t('stepFailed'));
}
