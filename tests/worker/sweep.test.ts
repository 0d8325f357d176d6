/// <reference types="vite/types/importMeta.d.ts" />
import { createMessageBatch, createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import worker from '#worker/index.ts';
import { sweep } from '#worker/sweep.ts';
import { captureLogs } from './support/capture-logs.ts';

const [CONFIGURATION = ''] = Object.values(
  import.meta.glob<string>('/wrangler.toml', { query: '?raw', import: 'default', eager: true }),
);

afterEach(() => vi.unstubAllGlobals());

test('a step that fails stops none of the others, and each is named in the log', async () => {
  const logs = captureLogs();
  const refuse = () => {
    throw new TypeError('no answer');
  };
  await sweep({
    ...env,
    DB: { withSession: () => ({ prepare: refuse, batch: refuse }) },
    WHATSAPP_QUEUE: { send: refuse },
    BACKUPS: { list: refuse },
  } as never);
  const failed = logs.error.mock.calls.map(([line]) => line).filter(({ event }) => event === 'sweep_failed');
  expect(failed.map(({ step }) => step)).toEqual([
    'finish_due_declines',
    'tell_admins',
    'rest_posts',
    'ask_authors',
    'close_communities',
    'finish_delivering',
    'finish_queueing',
    'finish_closing_sockets',
    'finish_erasing',
    'delete_photo_leftovers',
    'send_heartbeat',
    'refresh_shares',
    'list_erased',
    'write_export',
    'delete_old_exports',
    'clear_expired',
    'finish_matching',
    'renew_readings',
    'renew_texts',
  ]);
});

test('the cron sweeps', async () => {
  await env.DB.prepare("insert into rate_counters (subject, count, window_ends_at) values ('zamani', 1, 1)").run();
  await worker.scheduled(createScheduledController(), env);
  expect(await env.DB.prepare("select 1 from rate_counters where subject = 'zamani'").first()).toBeNull();
});

test('every queue of wrangler.toml has its consumer, and what comes from another is not lost', async () => {
  const queues = [...CONFIGURATION.matchAll(/^queue = "(.+)"$/gm)].map(([, queue = '']) => queue);
  expect(new Set(queues).size).toBe(14);
  for (const queue of queues) await worker.queue(createMessageBatch(queue, []), env);
  await expect(worker.queue(createMessageBatch('patikana-nyingine', []), env)).rejects.toThrow('patikana-nyingine');
});
