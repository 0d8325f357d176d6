import type { EmailJob, NoticeWhatsappJob, PushJob, QueueJob } from '#contract/jobs.ts';
import { consumeDeadEmails, consumeEmails } from '#worker/email/send-email.ts';
import { consumeDeadPushes, consumePushes } from '#worker/push/send-push.ts';
import { consumeDeadMessages, consumeMessages } from '#worker/whatsapp/send-message.ts';
import { app } from './app.ts';
import type { Env } from './env.ts';
import { sweep } from './sweep.ts';

export { UserChannel } from './user-channel.ts';

type Job = QueueJob | NoticeWhatsappJob | PushJob | EmailJob;

/** The consumer of each queue, by the queue's name without its prefix (wrangler.toml). */
const CONSUMERS: Record<string, (batch: MessageBatch<never>, env: Env) => Promise<void>> = {
  push: consumePushes,
  'push-dead': consumeDeadPushes,
  whatsapp: consumeMessages,
  'whatsapp-dead': consumeDeadMessages,
  'notice-whatsapp': consumeMessages,
  email: consumeEmails,
  'email-dead': consumeDeadEmails,
};

/** Consumes a batch. Throws for an unknown queue, so that its messages are retried and not lost. */
async function consumeQueue(batch: MessageBatch<Job>, env: Env): Promise<void> {
  const consumeBatch = CONSUMERS[batch.queue.replace(/^patikana-(staging-)?/, '')];
  if (!consumeBatch) throw new Error(`No consumer for the queue ${batch.queue}`);
  await consumeBatch(batch as MessageBatch<never>, env);
}

export default {
  fetch: app.fetch,
  queue: consumeQueue,
  scheduled: (_controller, env) => sweep(env),
} satisfies ExportedHandler<Env, Job>;
