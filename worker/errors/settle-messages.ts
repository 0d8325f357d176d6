import { errorName } from './error-name.ts';
import { log, workFor } from './log.ts';

/** Settles one message. @returns in how many seconds it is redelivered; null when it is done. */
export type Settle<Job> = (message: Message<Job>) => Promise<number | null>;

type Settling = {
  /** The alarm when `settle` throws. */
  failedEvent: 'email_consumer_failed' | 'push_consumer_failed' | 'whatsapp_consumer_failed';
  /** How long a message waits after `settle` has thrown: at first, doubling each time, and at most. */
  retrySeconds: { first: number; most: number };
  /** Settles all messages at once, so that none waits for a slow service. Otherwise one after the other. */
  isParallel?: boolean;
};

/** Settles each message of a batch separately, as a throw would redeliver the whole batch. */
export async function settleMessages<Job>(
  { messages }: MessageBatch<Job>,
  settle: Settle<Job>,
  { failedEvent, retrySeconds: { first, most }, isParallel = false }: Settling,
): Promise<void> {
  const settleOne = (message: Message<Job>): Promise<void> =>
    workFor({ job_id: message.id }, async () => {
      const delaySeconds = await settle(message).catch((error: unknown) => {
        // Only the name: a database error's message contains the bound values.
        log.error(failedEvent, { name: errorName(error) });
        return Math.min(first * 2 ** (message.attempts - 1), most);
      });
      if (delaySeconds === null) message.ack();
      else message.retry({ delaySeconds });
    });
  if (isParallel) await Promise.all(messages.map(settleOne));
  else for (const message of messages) await settleOne(message);
}
