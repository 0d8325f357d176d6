import type { QueueJob } from '#contract/whatsapp.ts';
import { openDb } from '#worker/db/client.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { log } from '#worker/errors/log.ts';
import { type Settle, settleMessages } from '#worker/errors/settle-messages.ts';
import { recordHeartbeat } from '#worker/health/index.ts';
import { isHeartbeat, messageIdOf } from './job.ts';
import { recordDeadLetter } from './message-store.ts';
import { BASE_DELAY_SECONDS, MAX_DELAY_SECONDS } from './retry-rules.ts';
import { sendMessage } from './send-message.ts';

/** The consumer of the queues of codes and of notices. */
export function consumeMessages(batch: MessageBatch<QueueJob>, env: Env): Promise<void> {
  return settleWhatsapp(batch, async ({ body: job, attempts: attempt, timestamp }) => {
    if (isHeartbeat(job)) {
      await recordHeartbeat(openDb(env), Date.now());
      return null;
    }
    const delivery = { job, attempt, queuedAt: timestamp.getTime() };
    const { retryInSeconds } = await sendMessage(env, openDb(env), readConfig(env), delivery);
    return retryInSeconds;
  });
}

/** Records which message was given up, without its content. A heartbeat that is missing shows in the health check. */
export function consumeDeadMessages(batch: MessageBatch<QueueJob>, env: Env): Promise<void> {
  return settleWhatsapp(batch, async ({ body: job }) => {
    if (isHeartbeat(job)) return null;
    const letter = { id: messageIdOf(job), kind: job.kind };
    await recordDeadLetter(openDb(env), letter, Date.now());
    log.error('whatsapp_dead_letter', letter);
    return null;
  });
}

function settleWhatsapp(batch: MessageBatch<QueueJob>, settle: Settle<QueueJob>): Promise<void> {
  return settleMessages(batch, settle, {
    failedEvent: 'whatsapp_consumer_failed',
    retrySeconds: { first: BASE_DELAY_SECONDS, most: MAX_DELAY_SECONDS },
  });
}
