import { createExecutionContext, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { app } from '#worker/app.ts';
import { log, workFor } from '#worker/errors/log.ts';
import { sweep } from '#worker/sweep.ts';
import { ORIGIN } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';
import { channelOf, newPeople, someMessage } from './support/live.ts';
import { deliver } from './support/whatsapp.ts';

afterEach(() => vi.unstubAllGlobals());

const ID = /^[\w-]{36}$/;

test('a line names the request it is logged for, whatever runs beside it, and after its answer too', async () => {
  const logs = captureLogs();
  const late: Promise<void>[] = [];
  const work = async (name: string) => {
    await workFor({ request_id: name }, async () => {
      late.push(Promise.resolve().then(() => log.info('email_accepted', { id: name })));
      await new Promise((resolve) => setTimeout(resolve, 1));
      log.info('email_dropped', { id: name });
    });
  };
  await Promise.all(['one', 'two', 'three'].map(work));
  await Promise.all(late);
  const lines = logs.log.mock.calls.map(([line]) => line);
  expect(lines).toHaveLength(6);
  for (const line of lines) expect(line.request_id).toBe(line.id);
  log.warn('unavailable');
  expect(logs.warn.mock.calls).toEqual([[{ event: 'unavailable' }]]);
});

test('what a request logs bears the id that its answer bears', async () => {
  const logs = captureLogs();
  const broken = { ...env, DB: { withSession: () => ({ prepare: fail, batch: fail }) } };
  const answer = await app.request(`${ORIGIN}/api/posts`, {}, broken, createExecutionContext());
  expect(answer.status).toBe(500);
  const request_id = answer.headers.get('X-Request-Id');
  const frames = expect.arrayContaining([expect.stringMatching(/^ +at /)]);
  expect(logs.error.mock.calls).toEqual([
    [{ event: 'unexpected_error', request_id, method: 'GET', route: '/api/posts', name: 'TypeError', frames }],
  ]);
});

test('what the queue and the cron log bears the id of their job, each its own', async () => {
  const logs = captureLogs();
  const broken = { ...env, DB: { withSession: () => ({ prepare: fail, batch: fail }) } } as unknown as typeof env;
  await deliver(broken, { kind: 'heartbeat' });
  await deliver(broken, { kind: 'heartbeat' });
  await sweep(broken);
  const lines = logs.error.mock.calls.map(([line]) => line);
  const ids = (event: string) => new Set(lines.filter((line) => line.event === event).map((line) => line.job_id));
  expect(ids('whatsapp_consumer_failed').size).toBe(2);
  expect(ids('sweep_failed').size).toBe(1);
  for (const { job_id } of lines) expect(job_id).toMatch(ID);
  expect(JSON.stringify(lines)).not.toContain('0712345678');
});

test('an object logs what failed in it, under an id of its own and without what people wrote', async () => {
  const [person] = await newPeople(1);
  if (!person) throw new Error('nobody');
  const logs = captureLogs();
  await runInDurableObject(channelOf(person), async (object, { storage }) => {
    for (const table of ['messages', 'ended_sessions', 'erasure', 'turns']) storage.sql.exec(`DROP TABLE ${table}`);
    const acknowledgement = JSON.stringify({ type: 'ack', id: '0712345678' });
    for (const fail of [
      () => object.deliver([someMessage({ id: '0712345678' })]),
      () => object.retract(['0712345678']),
      () => object.reconsider(),
      () => object.listWaiting(['0712345678']),
      () => object.endSessions([]),
      () => object.erase(),
      () => object.fetch(new Request('https://user-channel/?ticketId=0712345678')),
      () => object.webSocketMessage({} as WebSocket, acknowledgement),
      () => object.alarm(),
    ])
      await expect(fail()).rejects.toThrow();
  });
  const lines = logs.error.mock.calls.map(([line]) => line);
  const frames = expect.arrayContaining([expect.stringMatching(/^ +at /)]);
  const line = { event: 'object_failed', job_id: expect.stringMatching(ID), name: 'Error', frames };
  const events = [
    'deliver',
    'retract',
    'reconsider',
    'list_waiting',
    'end_sessions',
    'erase',
    'connect',
    'message',
    'alarm',
  ];
  expect(lines).toEqual(events.map((object_event) => ({ ...line, object_event })));
  expect(JSON.stringify(lines)).not.toContain('0712345678');
});

function fail(): never {
  throw new TypeError('no such number: 0712345678');
}
