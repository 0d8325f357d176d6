import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Tables = Record<string, string>[];

/** The tables of wrangler.toml under a heading, by their quoted values. */
function readTables(heading: string): Tables {
  const parts = readFileSync('wrangler.toml', 'utf8').split(/^(?=\[)/m);
  return parts
    .filter((part) => part.startsWith(`[[${heading}]]`))
    .map((part) =>
      Object.fromEntries([...part.matchAll(/^(\w+) = "?([^"\n]*)"?$/gm)].map(([, key, value]) => [key, value])),
    );
}

const queueOf = (binding: string) =>
  readTables('queues.producers').find((producer) => producer.binding === binding)?.queue;

test('codes have a queue of their own, so that a thousand notices delay no code', () => {
  const notices = ['PUSH_QUEUE', 'NOTICE_WHATSAPP_QUEUE', 'EMAIL_QUEUE'].map(queueOf);
  expect(new Set([queueOf('WHATSAPP_QUEUE'), ...notices]).size).toBe(4);
  // Each has a consumer of its own, which the platform runs beside the others.
  const consumed = readTables('queues.consumers').map(({ queue }) => queue);
  expect(consumed).toEqual(expect.arrayContaining([queueOf('WHATSAPP_QUEUE'), ...notices]));
  expect(new Set(consumed).size).toBe(consumed.length);
});

test('every queue has a dead letter queue with a consumer', () => {
  const consumers = readTables('queues.consumers');
  for (const { queue = '', dead_letter_queue } of consumers.filter(({ queue }) => !queue?.endsWith('-dead'))) {
    expect([queue, dead_letter_queue]).toEqual([queue, expect.stringMatching(/-dead$/)]);
    expect(consumers.map((consumer) => consumer.queue)).toContain(dead_letter_queue);
  }
});
