import { expect, test } from 'vitest';
import type { OutgoingJob } from '#contract/notice-jobs.ts';
import type { Env } from '#worker/env.ts';
import { queueTellings } from '#worker/reach/queue-tellings.ts';

/** Queues that keep the batches they are given. */
function keepBatches() {
  const batches: Record<string, unknown[][]> = { push: [], whatsapp: [], email: [] };
  const queueOf = (channel: string) => ({
    sendBatch: async (messages: { body: unknown }[]) => void batches[channel]?.push(messages.map(({ body }) => body)),
  });
  const env = {
    PUSH_QUEUE: queueOf('push'),
    NOTICE_WHATSAPP_QUEUE: queueOf('whatsapp'),
    EMAIL_QUEUE: queueOf('email'),
  } as unknown as Env;
  return { batches, env };
}

const jobOf = (channel: string, index: number) =>
  ({ channel, job: { messageId: `${channel}-${index}` } }) as OutgoingJob;

test('each job is put on the queue of its channel', async () => {
  const { batches, env } = keepBatches();
  const jobs = [jobOf('push', 1), jobOf('email', 2), jobOf('whatsapp', 3), jobOf('push', 4)];
  await queueTellings(env, jobs);
  expect(batches).toEqual({
    push: [[jobs[0]?.job, jobs[3]?.job]],
    whatsapp: [[jobs[2]?.job]],
    email: [[jobs[1]?.job]],
  });
});

test('a queue is given a hundred jobs at once, and each job once', async () => {
  const { batches, env } = keepBatches();
  const jobs = Array.from({ length: 201 }, (_, index) => jobOf('push', index));
  await queueTellings(env, jobs);
  expect(batches.push?.map((batch) => batch.length)).toEqual([100, 100, 1]);
  expect(batches.push?.flat()).toEqual(jobs.map(({ job }) => job));
});
