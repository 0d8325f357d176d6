import type { CodeJob } from '#contract/whatsapp.ts';
import type { Env } from '#worker/env.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log } from '#worker/errors/log.ts';
import { queueWhatsapp } from './queue.ts';

const RETRY_SECONDS = 5;

/**
 * Queues a code. Await it before answering: a code that is not on the queue is never sent.
 * @throws AppError unavailable.
 */
export async function queueCode(env: Env, job: CodeJob): Promise<void> {
  try {
    await queueWhatsapp(env, job);
  } catch (error) {
    log.error('code_not_queued', { name: errorName(error) });
    throw new AppError('unavailable', { retryAfterSeconds: RETRY_SECONDS });
  }
}
