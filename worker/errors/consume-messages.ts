import { errorName, log, workFor } from './log.ts';

/** Consumes one message. @returns in how many seconds it is redelivered; null if it is done. */
export type Consume<Job> = (message: Message<Job>) => Promise<number | null>;

type Consuming = {
  /** The alarm that is logged when `consume` throws. */
  failedEvent: 'email_consumer_failed' | 'push_consumer_failed' | 'whatsapp_consumer_failed';
  /** How long a message waits after `consume` has thrown: `first` at first, then doubled each time, at most `most`. */
  retrySeconds: { first: number; most: number };
  /**
   * If true, all messages are consumed in parallel, so that none waits for a slow service. By default they are consumed
   * one after the other.
   */
  isParallel?: boolean;
};

/** Consumes each message of a batch separately, as a throw would redeliver the whole batch. */
export async function consumeEach<Job>(
  { messages }: MessageBatch<Job>,
  consume: Consume<Job>,
  { failedEvent, retrySeconds: { first, most }, isParallel = false }: Consuming,
): Promise<void> {
  const consumeOne = (message: Message<Job>): Promise<void> =>
    workFor({ job_id: message.id }, async () => {
      const delaySeconds = await consume(message).catch((error: unknown) => {
        // Logs only the error's name: the text of a database error contains bound values.
        log.error(failedEvent, { name: errorName(error) });
        return Math.min(first * 2 ** (message.attempts - 1), most);
      });
      if (delaySeconds === null) message.ack();
      else message.retry({ delaySeconds });
    });
  if (isParallel) await Promise.all(messages.map(consumeOne));
  else for (const message of messages) await consumeOne(message);
}
