import type { WhatsappJob } from '#contract/whatsapp.ts';
import type { Env } from '#worker/env.ts';

/**
 * Queues a message. Await it: only once it returns is the queue responsible for the message being sent, retried, or moved
 * to the dead letters.
 */
export async function queueWhatsapp({ WHATSAPP_QUEUE }: Pick<Env, 'WHATSAPP_QUEUE'>, job: WhatsappJob): Promise<void> {
  await WHATSAPP_QUEUE.send(job, { contentType: 'json' });
}
