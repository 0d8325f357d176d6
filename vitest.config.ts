import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { makeVapidKey } from './scripts/dev/ensure-dev-vars.ts';
import { packLexiconOfSources } from './scripts/lexicon/pack-lexicon.ts';
import { textModulesPlugin } from './tests/support/text-modules-plugin.ts';

process.env.CLOUDFLARE_CF_FETCH_ENABLED = 'false';
process.env.WRANGLER_SEND_METRICS = 'false';

packLexiconOfSources();

const TEST_SECRETS = Object.fromEntries(
  ['JWT_SECRET', 'CODE_KEY', 'LIMIT_KEY', 'PHOTO_KEY', 'IDENTIFIER_KEY'].map((name) => [
    name,
    'a-secret-that-only-the-tests-know-0123456789',
  ]),
);

const LONG_SECONDS = String(40 * 24 * 60 * 60);

/** Bundled: every file of tests loads them anew, and each is one module then instead of up to a hundred. */
const PACKAGES_OF_THE_WORKER = [
  'drizzle-orm',
  'drizzle-orm/d1',
  'drizzle-orm/sqlite-core',
  'drizzle-orm/sqlite-core/query-builders/raw',
  'hono',
  'hono/combine',
  'hono/etag',
  'hono/factory',
  'hono/html',
  'hono/http-exception',
  'hono/secure-headers',
  'hono/utils/accept',
  'hono/utils/cookie',
  '@hono/zod-validator',
  '@block65/webcrypto-web-push',
  'jose',
  'zod/mini',
];

/**
 * Rules in Node, the Worker in workerd with real D1, Durable Objects and queues, the screens in jsdom. What takes its
 * time to measure is a project of its own, so that the unit tests take seconds.
 */
export default defineConfig({
  test: {
    // The default is one core less, which is only half of two cores.
    maxWorkers: '100%',
    // The Worker's logs are shown only for failed tests.
    silent: 'passed-only',
    reporters: ['./tests/support/report-failures.ts'],
    projects: [
      {
        plugins: [textModulesPlugin()],
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          environment: 'node',
          // The only state shared between files is the lexicon, which is then loaded only once.
          isolate: false,
          testTimeout: 15_000,
        },
      },
      {
        plugins: [textModulesPlugin()],
        test: { name: 'bench', include: ['tests/bench/**/*.test.ts'], environment: 'node' },
      },
      {
        test: { name: 'scripts', include: ['tests/scripts/**/*.test.ts'], environment: 'node' },
      },
      {
        plugins: [
          cloudflareTest(async () => ({
            main: './worker/index.ts',
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                ...TEST_SECRETS,
                WHATSAPP_TRANSPORT: 'local',
                ADMIN_STEP_UP: 'off',
                WHATSAPP_DISPLAY_NUMBER: '+255700000100',
                VAPID_PRIVATE_KEY: JSON.stringify(makeVapidKey()),
                VAPID_SUBJECT: 'mailto:posta@patikana.test',
                // So long that no turn comes by itself: tests that need one trigger it.
                NOTICE_PUSH_SECONDS: LONG_SECONDS,
                NOTICE_WHATSAPP_SECONDS: LONG_SECONDS,
                NOTICE_EMAIL_SECONDS: LONG_SECONDS,
                FUZZ_SEED: process.env.FUZZ_SEED ?? '1',
                FUZZ_REQUESTS: process.env.FUZZ_REQUESTS ?? '10000',
                TEST_MIGRATIONS: await readD1Migrations('./migrations'),
              },
            },
          })),
        ],
        test: {
          name: 'worker',
          include: ['tests/worker/**/*.test.ts'],
          setupFiles: ['end-quietly', 'apply-migrations', 'check-rows'].map(
            (name) => `tests/worker/support/${name}.ts`,
          ),
          testTimeout: 30_000,
          deps: { optimizer: { ssr: { enabled: true, include: PACKAGES_OF_THE_WORKER } } },
          // A condition has as long as a busy machine needs; the default is a second.
          expect: { poll: { timeout: 15_000 } },
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'web',
          include: ['tests/web/**/*.test.tsx', 'tests/web/**/*.test.ts'],
          environment: 'jsdom',
          // A process for each file takes a tenth longer.
          pool: 'threads',
          environmentOptions: { jsdom: { url: 'http://localhost:8787' } },
          setupFiles: ['tests/web/support/setup.ts'],
          testTimeout: 15_000,
        },
      },
    ],
  },
});
