import type { EmailJob } from '#contract/notice-jobs.ts';
import type { Env } from '#worker/env.ts';

/** Queues an e-mail. Await it: only once it returns is the queue responsible for sending the e-mail or giving it up. */
export async function queueEmail({ EMAIL_QUEUE }: Pick<Env, 'EMAIL_QUEUE'>, job: EmailJob): Promise<void> {
  await EMAIL_QUEUE.send(job, { contentType: 'json' });
}
