import type { PushJob } from '#contract/notice-jobs.ts';
import { type Db, openDb } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log, workFor } from '#worker/errors/log.ts';
import { sendPush } from './send-push.ts';
import { recordDeadLetter } from './subscription-store.ts';

const FAILURE_DELAY_MAX_SECONDS = 60;

/**
 * The consumer of the push queue. Messages are settled separately and in parallel, so that none waits for a slow push
 * service.
 */
export async function consumePushes(batch: MessageBatch<PushJob>, env: Env): Promise<void> {
  await settleEach(batch, (message) => settlePush(message, env, openDb(env)));
}

/** Records which pushes were given up, without their content. */
export async function consumeDeadPushes(batch: MessageBatch<PushJob>, env: Env): Promise<void> {
  await settleEach(batch, async ({ id, body }) => {
    await recordDeadLetter(openDb(env), id, body.noticeId, Date.now());
    log.error('push_dead_letter', { notice_id: body.noticeId });
    return null;
  });
}

/** Returns the delay before the message is redelivered, in seconds; null when it is settled. */
type Settle = (message: Message<PushJob>) => Promise<number | null>;

async function settleEach({ messages }: MessageBatch<PushJob>, settle: Settle): Promise<void> {
  const settleOne = async (message: Message<PushJob>) => {
    const delaySeconds = await settle(message).catch((error: unknown) => {
      log.error('push_consumer_failed', { name: errorName(error) });
      return Math.min(2 ** message.attempts, FAILURE_DELAY_MAX_SECONDS);
    });
    if (delaySeconds === null) message.ack();
    else message.retry({ delaySeconds });
  };
  await Promise.all(messages.map((message) => workFor({ job_id: message.id }, () => settleOne(message))));
}

async function settlePush(message: Message<PushJob>, env: Env, db: Db): Promise<number | null> {
  const { body: job, attempts: attempt, timestamp } = message;
  const outcome = await sendPush(env, db, { job, attempt, queuedAt: timestamp.getTime() });
  if (outcome.kind === 'given_up') await env.PUSH_DEAD_QUEUE.send(job, { contentType: 'json' });
  return outcome.kind === 'again' ? outcome.afterSeconds : null;
}
