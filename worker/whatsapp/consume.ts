import type { Env } from '#worker/env.ts';
import type { WhatsappJob } from './job.ts';

export async function consume(batch: MessageBatch<WhatsappJob>, _env: Env): Promise<void> {
  for (const message of batch.messages) message.ack();
}
