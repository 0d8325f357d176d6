import type { WhatsappJob } from '#contract/whatsapp.ts';
import type { Env } from '#worker/env.ts';

/**
 * Hands a message to the queue. Await it: once it returns, the queue sees to it that the message is sent,
 * retried, or ends among the dead letters.
 */
export async function queueWhatsapp({ WHATSAPP_QUEUE }: Pick<Env, 'WHATSAPP_QUEUE'>, job: WhatsappJob): Promise<void> {
  await WHATSAPP_QUEUE.send(job, { contentType: 'json' });
}
