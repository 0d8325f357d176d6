import { AppError } from '#worker/errors/app-error.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log } from '#worker/errors/log.ts';

/** Longer than the platform ever takes, and shorter than a person waits. */
const PATIENCE_MS = 20_000;
/** When to ask again whoever failed. */
export const RETRY_SECONDS = 60;

/** @returns what is answered. What was asked for may be done all the same after the time is over. @throws Error when it is over. */
export async function answerInTime<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('No answer in time')), PATIENCE_MS);
  });
  try {
    return await Promise.race([ask(), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** Asks the bucket. @throws AppError unavailable. */
export async function askBucket<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answerInTime(ask);
  } catch (error) {
    log.error('bucket_unavailable', { name: errorName(error) });
    throw new AppError('unavailable', { retryAfterSeconds: RETRY_SECONDS });
  }
}
