import type { EmailJob } from '#contract/notice-jobs.ts';
import { openDb } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { log } from '#worker/errors/log.ts';
import { type Settle, settleMessages } from '#worker/errors/settle-messages.ts';
import { BASE_DELAY_SECONDS, MAX_DELAY_SECONDS } from './binding-errors.ts';
import { messageIdOf } from './prepare-email.ts';
import { sendEmail } from './send-email.ts';
import { recordUnsent } from './store.ts';

/** The consumer of the e-mail queue. */
export function consumeEmails(batch: MessageBatch<EmailJob>, env: Env): Promise<void> {
  return settleEmails(batch, async ({ body, attempts }) => {
    const { retryInSeconds } = await sendEmail(env, openDb(env), body, attempts);
    return retryInSeconds;
  });
}

/** Records which e-mail was given up, without its content. */
export function consumeDeadEmails(batch: MessageBatch<EmailJob>, env: Env): Promise<void> {
  return settleEmails(batch, async ({ body }) => {
    const id = messageIdOf(body);
    await recordUnsent(openDb(env), id, { status: 'failed', errorCode: null }, Date.now());
    log.error('email_dead_letter', { id, kind: body.kind });
    return null;
  });
}

function settleEmails(batch: MessageBatch<EmailJob>, settle: Settle<EmailJob>): Promise<void> {
  return settleMessages(batch, settle, {
    failedEvent: 'email_consumer_failed',
    retrySeconds: { first: BASE_DELAY_SECONDS, most: MAX_DELAY_SECONDS },
  });
}
