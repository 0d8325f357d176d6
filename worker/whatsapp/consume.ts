import type { QueueJob } from '#contract/whatsapp.ts';
import { type Db, openDb } from '#worker/db/client.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log, workFor } from '#worker/errors/log.ts';
import { recordHeartbeat } from '#worker/health/index.ts';
import { isHeartbeat, isWhatsappJob, messageIdOf } from './job.ts';
import { recordDeadLetter } from './message-store.ts';
import { MAX_DELAY_SECONDS } from './retry-rules.ts';
import { sendMessage } from './send-message.ts';

/** The consumer of all WhatsApp queues. Each message is settled separately, as a throw would redeliver the whole batch. */
export async function consume(batch: MessageBatch<QueueJob>, env: Env): Promise<void> {
  const settle = batch.queue.endsWith('-dead') ? settleDeadLetter : ackOrRetry;
  for (const message of batch.messages) {
    await workFor({ job_id: message.id }, async () => {
      try {
        await settle(message, env, openDb(env));
      } catch (error) {
        // Only the name: a database error's message contains the bound values.
        log.error('whatsapp_consumer_failed', { name: errorName(error) });
        message.retry({ delaySeconds: Math.min(2 ** message.attempts, MAX_DELAY_SECONDS) });
      }
    });
  }
}

async function ackOrRetry(message: Message<QueueJob>, env: Env, db: Db): Promise<void> {
  if (isHeartbeat(message.body)) {
    await recordHeartbeat(db, Date.now());
    message.ack();
    return;
  }
  if (!isWhatsappJob(message.body)) {
    log.error('whatsapp_job_unknown');
    message.ack();
    return;
  }
  const { body: job, attempts: attempt, timestamp } = message;
  const { retryInSeconds } = await sendMessage(env, db, readConfig(env), {
    job,
    attempt,
    queuedAt: timestamp.getTime(),
  });
  if (retryInSeconds === null) message.ack();
  else message.retry({ delaySeconds: retryInSeconds });
}

/** Records which message was given up, without its content, for investigation. */
async function settleDeadLetter(message: Message<QueueJob>, _env: Env, db: Db): Promise<void> {
  const letter = isWhatsappJob(message.body)
    ? { id: messageIdOf(message.body), kind: message.body.kind }
    : { id: message.id, kind: 'unknown' as const };
  await recordDeadLetter(db, letter, Date.now());
  log.error('whatsapp_dead_letter', letter);
  message.ack();
}
