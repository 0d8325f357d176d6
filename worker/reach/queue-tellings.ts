import type { OutgoingJob } from '#contract/notice-jobs.ts';
import type { Env } from '#worker/env.ts';

/** The maximum of a queue's batch. */
const JOBS_AT_ONCE = 100;

/** Puts each job on its channel's queue. After a failure half-way all are queued again, so jobs may arrive twice. */
export async function queueTellings(env: Env, jobs: OutgoingJob[]): Promise<void> {
  const queues = { push: env.PUSH_QUEUE, whatsapp: env.NOTICE_WHATSAPP_QUEUE, email: env.EMAIL_QUEUE };
  for (const [channel, own] of Map.groupBy(jobs, (job) => job.channel)) {
    const queue: Queue = queues[channel];
    for (let start = 0; start < own.length; start += JOBS_AT_ONCE) {
      await queue.sendBatch(
        own.slice(start, start + JOBS_AT_ONCE).map(({ job }) => ({ body: job, contentType: 'json' })),
      );
    }
  }
}
