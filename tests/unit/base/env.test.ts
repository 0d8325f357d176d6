import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unstable_readConfig as readWranglerConfig } from 'wrangler';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import { makeVapidKey } from '#scripts/dev/options.ts';
import { ConfigError, readConfig } from '#worker/env.ts';
import { maximaOf } from '#worker/limits/allowance.ts';

const KEYS = {
  JWT_SECRET: 'the-key-that-signs-every-session-now',
  CODE_KEY: 'the-key-of-all-verification-codes',
  LIMIT_KEY: 'the-key-of-all-the-rate-counters',
  PHOTO_KEY: 'the-key-that-signs-photo-addresses',
  IDENTIFIER_KEY: 'the-key-of-every-number-of-a-thing',
};
const DEPLOYED = { ...KEYS, WHATSAPP_PHONE_NUMBER_ID: '100200300', WHATSAPP_ACCESS_TOKEN: 'a-token' };
const LOCAL = { ...KEYS, WHATSAPP_TRANSPORT: 'local' };
/** Settings that only a development machine may change. */
const HURRIED = {
  NOTICE_PUSH_SECONDS: '0',
  NOTICE_WHATSAPP_SECONDS: '1',
  NOTICE_EMAIL_SECONDS: '2',
  REPORTER_MIN_AGE_SECONDS: '3',
  CLAIM_DECLINE_SECONDS: '4',
  ADMIN_STEP_UP: 'off',
  RATE_LIMITS: 'off',
};
const VAPID_PRIVATE_KEY = JSON.stringify(makeVapidKey());

const USUAL = {
  appOrigin: null,
  channels: { afterMs: { push: 15_000, whatsapp: 600_000, email: 1_800_000 }, messagesADay: 3 },
  areRateLimitsOn: true,
  reporterMinAgeSeconds: 3 * 24 * 60 * 60,
  claimDeclineSeconds: 600,
};

test('a deployed Worker with only the required secrets sends verification codes, but no e-mails, pushes or WhatsApp notices', () => {
  expect(readConfig({ ...DEPLOYED })).toEqual({
    ...USUAL,
    keys: {
      session: [{ id: expect.stringMatching(/^[\w-]{8}$/), secret: KEYS.JWT_SECRET }],
      code: KEYS.CODE_KEY,
      limit: KEYS.LIMIT_KEY,
      photo: KEYS.PHOTO_KEY,
      identifier: KEYS.IDENTIFIER_KEY,
    },
    whatsapp: {
      transport: 'cloud-api',
      apiBase: 'https://graph.facebook.com/v25.0',
      phoneNumberId: '100200300',
      accessToken: 'a-token',
      appSecret: null,
      verifyToken: null,
      displayNumber: null,
      resetTemplate: 'verification_code',
      decisionTemplate: null,
      matchTemplate: null,
      dailyRecipients: 250,
    },
    photos: { transformationsADay: 160 },
    email: { from: null, isLocal: false, isAvailable: false },
    push: {
      vapid: null,
      services: [
        'fcm.googleapis.com',
        'updates.push.services.mozilla.com',
        'web.push.apple.com',
        '*.notify.windows.com',
      ],
      isStandInAllowed: false,
    },
    feedbackFormUrl: null,
    passkeys: { areNeeded: true, relyingPartyId: null },
  });
});

test('every optional environment variable changes the setting that belongs to it', () => {
  const { keys, whatsapp, email, push, feedbackFormUrl, passkeys } = readConfig({
    ...DEPLOYED,
    JWT_SECRET_PREVIOUS: 'the-key-that-signed-every-session-before',
    WHATSAPP_API_BASE: 'https://meta.example/v26.0//',
    WHATSAPP_APP_SECRET: 'an-app-secret',
    WHATSAPP_VERIFY_TOKEN: 'a-verify-token',
    WHATSAPP_DISPLAY_NUMBER: '+255700000100',
    WHATSAPP_RESET_TEMPLATE: 'code_1',
    WHATSAPP_DECISION_TEMPLATE: 'decision_1',
    WHATSAPP_MATCH_TEMPLATE: 'match_1',
    WHATSAPP_DAILY_RECIPIENTS: '1000',
    EMAIL_FROM: 'posta@patikana.example',
    VAPID_PRIVATE_KEY,
    VAPID_SUBJECT: 'mailto:posta@patikana.example',
    PUSH_SERVICES: ' push.example, *.push.example\nother.example ',
    FEEDBACK_FORM_URL: 'https://forms.example/1',
    RP_ID: 'patikana.example',
  });
  expect(keys.session.map(({ secret }) => secret)).toEqual([
    KEYS.JWT_SECRET,
    'the-key-that-signed-every-session-before',
  ]);
  expect(whatsapp).toEqual({
    transport: 'cloud-api',
    apiBase: 'https://meta.example/v26.0',
    phoneNumberId: '100200300',
    accessToken: 'a-token',
    appSecret: 'an-app-secret',
    verifyToken: 'a-verify-token',
    displayNumber: '255700000100',
    resetTemplate: 'code_1',
    decisionTemplate: 'decision_1',
    matchTemplate: 'match_1',
    dailyRecipients: 1000,
  });
  expect(email).toEqual({ from: 'posta@patikana.example', isLocal: false, isAvailable: true });
  expect(push).toEqual({
    vapid: {
      jwk: JSON.parse(VAPID_PRIVATE_KEY),
      publicKey: expect.any(String),
      subject: 'mailto:posta@patikana.example',
    },
    services: ['push.example', '*.push.example', 'other.example'],
    isStandInAllowed: false,
  });
  expect(feedbackFormUrl).toBe('https://forms.example/1');
  expect(passkeys).toEqual({ areNeeded: true, relyingPartyId: 'patikana.example' });
});

test('a deployed Worker ignores variables that shorten waiting times or switch off limits and passkeys', () => {
  const { passkeys, ...rest } = readConfig({ ...DEPLOYED, ...HURRIED });
  expect(rest).toMatchObject(USUAL);
  expect(passkeys.areNeeded).toBe(true);
});

test('in local development, no Meta account or sender address is needed, and variables can change waiting times and limits', () => {
  const plain = readConfig({ ...LOCAL });
  expect(plain).toMatchObject({
    ...USUAL,
    whatsapp: { transport: 'local', phoneNumberId: null, accessToken: null, matchTemplate: 'match_notice' },
    email: { from: null, isLocal: true, isAvailable: true },
    push: { isStandInAllowed: true },
    passkeys: { areNeeded: true, relyingPartyId: 'localhost' },
  });
  expect(readConfig({ ...LOCAL, ...HURRIED, RP_ID: 'a.example', WHATSAPP_MATCH_TEMPLATE: 'm' })).toMatchObject({
    channels: { afterMs: { push: 0, whatsapp: 1_000, email: 2_000 }, messagesADay: Number.MAX_SAFE_INTEGER },
    reporterMinAgeSeconds: 3,
    claimDeclineSeconds: 4,
    areRateLimitsOn: false,
    passkeys: { areNeeded: false, relyingPartyId: 'a.example' },
    whatsapp: { matchTemplate: 'm' },
  });
  expect(readConfig({ ...LOCAL, RATE_LIMITS: 'on', ADMIN_STEP_UP: 'on' })).toMatchObject({
    ...USUAL,
    passkeys: { areNeeded: true },
  });
});

test('a Worker sends no WhatsApp notices of matches unless it has the webhook that receives the message STOP', () => {
  const withTemplate = { ...DEPLOYED, WHATSAPP_MATCH_TEMPLATE: 'match_1' };
  expect(readConfig(withTemplate).whatsapp.matchTemplate).toBeNull();
  expect(readConfig({ ...DEPLOYED, WHATSAPP_APP_SECRET: 'x' }).whatsapp.matchTemplate).toBeNull();
});

test('a Worker sends no pushes unless its VAPID key and its contact for push services are set', () => {
  expect(readConfig({ ...DEPLOYED, VAPID_PRIVATE_KEY }).push.vapid).toBeNull();
  expect(readConfig({ ...DEPLOYED, VAPID_SUBJECT: 'https://patikana.example' }).push.vapid).toBeNull();
});

test('the variables of one `env` object are parsed only once: a second call of readConfig returns the same object', () => {
  const env = { ...DEPLOYED };
  expect(readConfig(env)).toBe(readConfig(env));
});

test.each<[wrong: Record<string, string>, names: string]>([
  [{ JWT_SECRET: '' }, 'JWT_SECRET'],
  [
    { CODE_KEY: '', LIMIT_KEY: '', PHOTO_KEY: '', IDENTIFIER_KEY: '' },
    'CODE_KEY, LIMIT_KEY, PHOTO_KEY, IDENTIFIER_KEY',
  ],
  [{ JWT_SECRET: 'x'.repeat(31), CODE_KEY: 'x'.repeat(32) }, 'JWT_SECRET'],
  [{ JWT_SECRET_PREVIOUS: 'x'.repeat(31) }, 'JWT_SECRET_PREVIOUS'],
  [{ WHATSAPP_TRANSPORT: 'pigeon' }, 'WHATSAPP_TRANSPORT'],
  [{ WHATSAPP_API_BASE: 'graph.facebook.com' }, 'WHATSAPP_API_BASE'],
  [{ WHATSAPP_DISPLAY_NUMBER: '255700' }, 'WHATSAPP_DISPLAY_NUMBER'],
  [{ WHATSAPP_DISPLAY_NUMBER: '+255 700 000 100' }, 'WHATSAPP_DISPLAY_NUMBER'],
  [{ WHATSAPP_DAILY_RECIPIENTS: '0' }, 'WHATSAPP_DAILY_RECIPIENTS'],
  [{ WHATSAPP_DAILY_RECIPIENTS: '2.5' }, 'WHATSAPP_DAILY_RECIPIENTS'],
  [{ EMAIL_FROM: 'posta' }, 'EMAIL_FROM'],
  [{ FEEDBACK_FORM_URL: 'forms' }, 'FEEDBACK_FORM_URL'],
  [{ VAPID_PRIVATE_KEY: 'a-key' }, 'VAPID_PRIVATE_KEY'],
  [{ VAPID_SUBJECT: 'posta@patikana.example' }, 'VAPID_SUBJECT'],
  [{ ADMIN_STEP_UP: 'no' }, 'ADMIN_STEP_UP'],
  [
    { NOTICE_PUSH_SECONDS: '-1', NOTICE_WHATSAPP_SECONDS: '-1', NOTICE_EMAIL_SECONDS: 'soon' },
    'NOTICE_PUSH_SECONDS, NOTICE_WHATSAPP_SECONDS, NOTICE_EMAIL_SECONDS',
  ],
  [{ REPORTER_MIN_AGE_SECONDS: '-1', CLAIM_DECLINE_SECONDS: '-1' }, 'REPORTER_MIN_AGE_SECONDS, CLAIM_DECLINE_SECONDS'],
])(
  'a Worker refuses the environment variables %j, and the error contains the names of the invalid ones, but no values',
  (wrong, names) => {
    const read = () => readConfig({ ...DEPLOYED, ...wrong });
    expect(read).toThrow(new ConfigError(`These variables are missing or wrong: ${names}`));
  },
);

test.each([{ WHATSAPP_PHONE_NUMBER_ID: '' }, { WHATSAPP_ACCESS_TOKEN: '' }])(
  'a deployed Worker refuses the settings %j, with which it could send no WhatsApp message',
  (wrong) => {
    expect(() => readConfig({ ...DEPLOYED, ...wrong })).toThrow(
      new ConfigError(
        'These variables are missing: WHATSAPP_PHONE_NUMBER_ID, WHATSAPP_ACCESS_TOKEN (or WHATSAPP_TRANSPORT=local)',
      ),
    );
  },
);

type Binding = { binding: string };
type Named = { name: string };
/** The part of wrangler's configuration that the tests compare. */
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

const production: Config = readWranglerConfig({ config: 'wrangler.toml' });
const staging: Config = readWranglerConfig({ config: 'wrangler.toml', env: 'staging' });

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

test('staging has every binding that production has', () => {
  expect(shapeOf(staging)).toEqual(shapeOf(production));
});

test('staging and production share no database, queue or rate limiter', () => {
  const shared = resourcesOf(staging).filter((resource) => resourcesOf(production).includes(resource));
  expect(shared).toEqual([]);
});

test.each([production, staging])(
  'the Worker $name can be reached neither at a workers.dev URL nor at a preview URL',
  ({ workers_dev, preview_urls }) => {
    expect([workers_dev, preview_urls]).toEqual([false, false]);
  },
);

test('Cloudflare stops a request after at most ten seconds of processor time', () => {
  expect(production.limits?.cpu_ms).toBeLessThanOrEqual(10_000);
});

test('every queue with a consumer in production has a counterpart with a consumer in staging, and vice versa', () => {
  const kinds = (config: Config) =>
    (config.queues.consumers ?? []).map(({ queue }) => queue.replace(/^patikana-(staging-)?/, ''));
  expect(kinds(staging)).toEqual(kinds(production));
});

test('the request limits of an IP address, an IPv6 /56 network and a /48 network have the ratio 1 : 1.5 : 2', () => {
  const limits = Object.fromEntries(production.ratelimits.map(({ name, simple }) => [name, simple.limit]));
  for (const kind of ['READS', 'WRITES'])
    expect([limits[`${kind}_OF_ADDRESS`], limits[`${kind}_OF_56`], limits[`${kind}_OF_48`]]).toEqual(
      maximaOf({ max: limits[`${kind}_OF_ADDRESS`] ?? 0 }),
    );
});

type Tables = Record<string, string>[];

/** Returns the keys and values of each `[[heading]]` table in wrangler.toml. */
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

test('verification codes have a queue of their own, so that they do not wait behind notices', () => {
  const notices = ['PUSH_QUEUE', 'NOTICE_WHATSAPP_QUEUE', 'EMAIL_QUEUE'].map(queueOf);
  expect(new Set([queueOf('WHATSAPP_QUEUE'), ...notices]).size).toBe(4);
  // Each queue has its own consumer, and Cloudflare runs consumers concurrently.
  const consumed = readTables('queues.consumers').map(({ queue }) => queue);
  expect(consumed).toEqual(expect.arrayContaining([queueOf('WHATSAPP_QUEUE'), ...notices]));
  expect(new Set(consumed).size).toBe(consumed.length);
});

test('every queue has a dead letter queue, and every dead letter queue has a consumer', () => {
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
