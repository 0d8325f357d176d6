import type { PushJob } from '#contract/notice-jobs.ts';
import { openDb } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { log } from '#worker/errors/log.ts';
import { type Settle, settleMessages } from '#worker/errors/settle-messages.ts';
import { sendPush } from './send-push.ts';
import { recordDeadLetter } from './subscription-store.ts';

/** The consumer of the push queue. */
export function consumePushes(batch: MessageBatch<PushJob>, env: Env): Promise<void> {
  return settlePushes(batch, async ({ body: job, attempts: attempt, timestamp }) => {
    const outcome = await sendPush(env, openDb(env), { job, attempt, queuedAt: timestamp.getTime() });
    if (outcome.kind === 'given_up') await env.PUSH_DEAD_QUEUE.send(job, { contentType: 'json' });
    return outcome.kind === 'again' ? outcome.afterSeconds : null;
  });
}

/** Records which pushes were given up, without their content. */
export function consumeDeadPushes(batch: MessageBatch<PushJob>, env: Env): Promise<void> {
  return settlePushes(batch, async ({ id, body }) => {
    await recordDeadLetter(openDb(env), id, body.noticeId, Date.now());
    log.error('push_dead_letter', { notice_id: body.noticeId });
    return null;
  });
}

function settlePushes(batch: MessageBatch<PushJob>, settle: Settle<PushJob>): Promise<void> {
  return settleMessages(batch, settle, {
    failedEvent: 'push_consumer_failed',
    retrySeconds: { first: 2, most: 60 },
    isParallel: true,
  });
}
