import type { EmailJob } from '#contract/notice-jobs.ts';
import { type Db, openDb } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log, workFor } from '#worker/errors/log.ts';
import { MAX_DELAY_SECONDS, retryDelaySeconds } from './binding-errors.ts';
import { messageIdOf } from './prepare-email.ts';
import { sendEmail } from './send-email.ts';
import { recordUnsent } from './store.ts';

/** The consumer of the e-mail queue. Each message is settled separately, as a throw would redeliver the whole batch. */
export function consumeEmails(batch: MessageBatch<EmailJob>, env: Env): Promise<void> {
  return settleEach(batch, env, async (message, db) => {
    const { retryInSeconds } = await sendEmail(env, db, message.body, message.attempts);
    if (retryInSeconds === null) message.ack();
    else message.retry({ delaySeconds: retryInSeconds });
  });
}

/** Records which e-mail was given up, without its content. */
export function consumeDeadEmails(batch: MessageBatch<EmailJob>, env: Env): Promise<void> {
  return settleEach(batch, env, async (message, db) => {
    const id = messageIdOf(message.body);
    await recordUnsent(db, id, { status: 'failed', errorCode: null }, Date.now());
    log.error('email_dead_letter', { id, kind: message.body.kind });
    message.ack();
  });
}

async function settleEach(
  batch: MessageBatch<EmailJob>,
  env: Env,
  settle: (message: Message<EmailJob>, db: Db) => Promise<void>,
): Promise<void> {
  for (const message of batch.messages) {
    await workFor({ job_id: message.id }, async () => {
      try {
        if (isEmailJob(message.body)) return await settle(message, openDb(env));
        log.error('email_job_unknown');
        message.ack();
      } catch (error) {
        // Only the name: a database error's message contains the bound values.
        log.error('email_consumer_failed', { name: errorName(error) });
        message.retry({ delaySeconds: retryDelaySeconds(message.attempts) ?? MAX_DELAY_SECONDS });
      }
    });
  }
}

/** Whether this version of the Worker knows the job: during a rollout the queue may contain another version's. */
function isEmailJob(body: unknown): body is EmailJob {
  if (typeof body !== 'object' || body === null || !('kind' in body)) return false;
  return body.kind === 'confirm_email' || body.kind === 'notice';
}
