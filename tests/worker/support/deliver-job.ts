import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';

type QueueDelivery<Job> = {
  queue: string;
  job: Job;
  consume: (batch: MessageBatch<Job>) => Promise<unknown>;
  attempts?: number;
  timestamp?: Date;
};

/** What becomes of a message that is done with: `deliverJob` returns it. */
export const SETTLED = { isAcked: true, retryIn: null };

/** Delivers a job to its consumer, as the queue would. @returns whether it was acknowledged, and the delay of its retry in seconds. */
export async function deliverJob<Job>({
  queue,
  job,
  consume,
  attempts = 1,
  timestamp = new Date(),
}: QueueDelivery<Job>) {
  const id = crypto.randomUUID();
  const batch = createMessageBatch<Job>(queue, [{ id, timestamp, attempts, body: job }]);
  const [message] = batch.messages;
  let retryIn: number | null = null;
  if (message) {
    const retry = message.retry.bind(message);
    // The batch's own result tells that a message is retried, but not when.
    message.retry = (options) => {
      retryIn = options?.delaySeconds ?? 0;
      retry(options);
    };
  }
  await consume(batch);
  const { explicitAcks } = await getQueueResult(batch, createExecutionContext());
  return { isAcked: explicitAcks.includes(id), retryIn: retryIn as number | null };
}
