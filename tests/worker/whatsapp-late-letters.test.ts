import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newPerson } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';
import { DEAD_QUEUE, deliver, issueCode, readMessage, standInForMeta } from './support/whatsapp.ts';

beforeEach(captureLogs);
afterEach(() => vi.unstubAllGlobals());

test('a dead letter that comes after its message was accepted is noted, and leaves the message as it is', async () => {
  const meta = standInForMeta();
  const { job } = await issueCode((await newPerson()).phone);
  await deliver(meta.env, job);
  const accepted = await readMessage(job.requestId);
  expect(accepted).toMatchObject({ status: 'accepted' });
  expect(await deliver(meta.env, job, { queue: DEAD_QUEUE })).toEqual({ isAcked: true, retryIn: null });
  expect(await readMessage(job.requestId)).toEqual(accepted);
  const letter = await env.DB.prepare('select kind from whatsapp_dead_letters where id = ?')
    .bind(job.requestId)
    .first();
  expect(letter).toEqual({ kind: 'reset_code' });
});

test('the dead letter of one message leaves the others as they are', async () => {
  const meta = standInForMeta();
  const [dead, waiting] = [await issueCode((await newPerson()).phone), await issueCode((await newPerson()).phone)];
  meta.api.failNext({ code: 131000, httpStatus: 500 }, { code: 131000, httpStatus: 500 });
  await deliver(meta.env, dead.job);
  await deliver(meta.env, waiting.job);
  await deliver(meta.env, dead.job, { queue: DEAD_QUEUE });
  expect(await readMessage(dead.job.requestId)).toMatchObject({ status: 'failed' });
  expect(await readMessage(waiting.job.requestId)).toMatchObject({ status: 'waiting' });
});
