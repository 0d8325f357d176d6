import type { EmailJob } from '#contract/notice-jobs.ts';
import type { Env } from '#worker/env.ts';

/** Hands an e-mail to the queue. Await it: once it returns, the queue sees to it that it is sent or given up. */
export async function queueEmail({ EMAIL_QUEUE }: Pick<Env, 'EMAIL_QUEUE'>, job: EmailJob): Promise<void> {
  await EMAIL_QUEUE.send(job, { contentType: 'json' });
}
