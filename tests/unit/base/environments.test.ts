import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unstable_readConfig as readConfig } from 'wrangler';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import { maximaOf } from '#worker/limits/allowance.ts';

type Binding = { binding: string };
type Named = { name: string };
/** The compared part of a configuration. */
type Config = Named & {
  d1_databases: (Binding & { database_name: string; database_id: string })[];
  durable_objects: { bindings: Named[] };
  queues: {
    producers?: (Binding & { queue: string })[];
    consumers?: { queue: string; dead_letter_queue?: string }[];
  };
  r2_buckets: (Binding & { bucket_name: string })[];
  send_email: Named[];
  ratelimits: (Named & { namespace_id: string; simple: { limit: number; period: number } })[];
  images?: Binding;
  version_metadata?: Binding;
  assets?: Binding;
  cache?: object;
  vars: object;
  triggers: { crons: string[] };
  migrations: object[];
  observability: object;
  limits?: { cpu_ms: number };
  workers_dev?: boolean;
  preview_urls?: boolean;
};

const production: Config = readConfig({ config: 'wrangler.toml' });
const staging: Config = readConfig({ config: 'wrangler.toml', env: 'staging' });

/** The Worker's bindings and triggers. */
function shapeOf(config: Config) {
  return {
    bindings: [
      ...config.d1_databases,
      ...config.durable_objects.bindings.map(({ name }) => ({ binding: name })),
      ...(config.queues.producers ?? []),
      ...config.r2_buckets,
      ...config.send_email.map(({ name }) => ({ binding: name })),
      ...config.ratelimits.map(({ name }) => ({ binding: name })),
      config.images ?? { binding: null },
      config.version_metadata ?? { binding: null },
      config.assets ?? { binding: null },
    ].map(({ binding }) => binding),
    vars: config.vars,
    limits: [config.limits, ...config.ratelimits.map(({ simple }) => simple)],
    consumers: config.queues.consumers?.map(({ queue: _, dead_letter_queue: __, ...rest }) => rest),
    crons: config.triggers.crons,
    migrations: config.migrations,
    logs: config.observability,
    assets: config.assets,
    cache: config.cache,
  };
}

function resourcesOf(config: Config) {
  return [
    config.name,
    ...config.d1_databases.flatMap(({ database_name, database_id }) => [database_name, database_id]),
    ...(config.queues.consumers ?? []).flatMap(({ queue, dead_letter_queue }) => [queue, dead_letter_queue]),
    ...(config.queues.producers ?? []).map(({ queue }) => queue),
    ...config.r2_buckets.map(({ bucket_name }) => bucket_name),
    ...config.ratelimits.map(({ namespace_id }) => namespace_id),
  ].filter((resource) => resource !== undefined);
}

test('staging has everything that production has', () => {
  expect(shapeOf(staging)).toEqual(shapeOf(production));
});

test('staging shares no database, queue or counter with production', () => {
  const shared = resourcesOf(staging).filter((resource) => resourcesOf(production).includes(resource));
  expect(shared).toEqual([]);
});

test.each([production, staging])('$name is reachable only at its own domain', ({ workers_dev, preview_urls }) => {
  expect([workers_dev, preview_urls]).toEqual([false, false]);
});

test('a request has at most ten seconds of processor time', () => {
  expect(production.limits?.cpu_ms).toBeLessThanOrEqual(10_000);
});

test('a queue’s jobs have the same consumer in staging and production', () => {
  const kinds = (config: Config) =>
    (config.queues.consumers ?? []).map(({ queue }) => queue.replace(/^patikana-(staging-)?/, ''));
  expect(kinds(staging)).toEqual(kinds(production));
});

test('a /56 may send one and a half times and a /48 twice as many requests a minute as one address', () => {
  const limits = Object.fromEntries(production.ratelimits.map(({ name, simple }) => [name, simple.limit]));
  for (const kind of ['READS', 'WRITES'])
    expect([limits[`${kind}_OF_ADDRESS`], limits[`${kind}_OF_56`], limits[`${kind}_OF_48`]]).toEqual(
      maximaOf({ max: limits[`${kind}_OF_ADDRESS`] ?? 0 }),
    );
});

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

test('codes have their own queue, so that a thousand notices delay no code', () => {
  const notices = ['PUSH_QUEUE', 'NOTICE_WHATSAPP_QUEUE', 'EMAIL_QUEUE'].map(queueOf);
  expect(new Set([queueOf('WHATSAPP_QUEUE'), ...notices]).size).toBe(4);
  // Each queue has its own consumer, and the platform runs consumers concurrently.
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

test('the Content-Security-Policy of pages allows neither inline scripts nor eval', () => {
  const headers = readFileSync(join(PROJECT_ROOT, 'web/public/_headers'), 'utf8');
  const policy = /Content-Security-Policy: (.+)/.exec(headers)?.[1] ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self' SCRIPT_HASH;");
  expect(policy).not.toMatch(/unsafe|\*/);
});
