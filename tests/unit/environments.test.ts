import { expect, test } from 'vitest';
import { unstable_readConfig as readConfig } from 'wrangler';
import { maximaOf } from '#worker/limits/networks.ts';

type Binding = { binding: string };
type Named = { name: string };
/** As much of a configuration as is compared here. */
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

/** What the Worker finds in its environment, and how it is woken. */
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

test('staging shares nothing with production: neither database nor queue nor count', () => {
  const shared = resourcesOf(staging).filter((resource) => resourcesOf(production).includes(resource));
  expect(shared).toEqual([]);
});

test.each([production, staging])('$name is reached by its own domain only', ({ workers_dev, preview_urls }) => {
  expect([workers_dev, preview_urls]).toEqual([false, false]);
});

test('a request has at most ten seconds of processor time', () => {
  expect(production.limits?.cpu_ms).toBeLessThanOrEqual(10_000);
});

test('a queue’s jobs go to the same place in both', () => {
  const kinds = (config: Config) =>
    (config.queues.consumers ?? []).map(({ queue }) => queue.replace(/^patikana-(staging-)?/, ''));
  expect(kinds(staging)).toEqual(kinds(production));
});

test('a /56 may send one and a half times and a /48 twice as many requests a minute as an address', () => {
  const limits = Object.fromEntries(production.ratelimits.map(({ name, simple }) => [name, simple.limit]));
  for (const kind of ['READS', 'WRITES'])
    expect([limits[`${kind}_OF_ADDRESS`], limits[`${kind}_OF_56`], limits[`${kind}_OF_48`]]).toEqual(
      maximaOf({ max: limits[`${kind}_OF_ADDRESS`] ?? 0 }),
    );
});
