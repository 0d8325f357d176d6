import { ApiError } from '#web/lib/api-client.ts';
import { describeFailure } from '#web/lib/describe-failure.ts';
import type { Translate } from '#web/lib/translate.ts';

/** Why a step was not taken: the server's own sentence where there is one. */
export function problemOf(error: Error, t: Translate<'claims'>): string {
  const hasNoAnswer = error instanceof ApiError && error.status === 0;
  return hasNoAnswer ? t('noAnswer') : describeFailure(error, t('stepFailed'));
}
