import { answerInTime } from '#worker/errors/answer-in-time.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log } from '#worker/errors/log.ts';

/** Longer than the platform ever takes, but shorter than people wait. */
export const PATIENCE_MS = 20_000;
/** For `Retry-After`, when the bucket or the image service has failed. */
export const RETRY_SECONDS = 60;

/** Calls the bucket. @throws AppError unavailable on an error or a timeout. */
export async function askBucket<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answerInTime(ask, PATIENCE_MS);
  } catch (error) {
    log.error('bucket_unavailable', { name: errorName(error) });
    throw new AppError('unavailable', { retryAfterSeconds: RETRY_SECONDS });
  }
}
