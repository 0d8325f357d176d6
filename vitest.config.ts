import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { makeVapidKey } from './scripts/dev/options.ts';
import { packLexiconOfSources } from './scripts/lexicon/pack-lexicon.ts';
import { cheapPasswordsPlugin, textModulesPlugin } from './tests/support/vite-plugins.ts';

process.env.CLOUDFLARE_CF_FETCH_ENABLED = 'false';
process.env.WRANGLER_SEND_METRICS = 'false';
// At its default level, wrangler logs a message about .dev.vars each time it reads its configuration.
process.env.WRANGLER_LOG = 'warn';

const MEMORY = '/dev/shm';
keepFilesInMemory();
packLexiconOfSources();

const TEST_SECRETS = Object.fromEntries(
  ['JWT_SECRET', 'CODE_KEY', 'LIMIT_KEY', 'PHOTO_KEY', 'IDENTIFIER_KEY'].map((name) => [
    name,
    'a-secret-that-only-the-tests-know-0123456789',
  ]),
);

/**
 * Puts temporary files into memory if /dev/shm has 2 GiB free, because the tests' databases write every change to the
 * disk.
 */
function keepFilesInMemory(): void {
  if (process.env.TMPDIR || !existsSync(MEMORY)) return;
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < 2 ** 31) return;
  const folder = mkdtempSync(`${MEMORY}/patikana-tests-`);
  process.env.TMPDIR = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

/** The log level for tests that check wrangler's output. */
const WRANGLER_AS_USUAL = { WRANGLER_LOG: 'log' };

const LONG_SECONDS = String(40 * 24 * 60 * 60);

/** Test files of tests/worker that mock modules. Each runs isolated: its mocks would affect other files. */
const MOCK_WORKER_MODULES = ['accounts/like-time', 'matching/match-reading'].map(
  (name) => `tests/worker/${name}.test.ts`,
);

/**
 * Files of tests/worker that `npm test` runs in a shorter version and CI in full. They check `IS_THOROUGH` or call
 * `sampleOf` (tests/worker/support/test-run.ts).
 */
const LARGE_WORKER_FILES = [
  'admin/decision-message',
  'base/exports',
  'claims/races',
  'communities/steps',
  'matching/match-job',
  'matching/write-pairs',
  'moderation/standing',
  'people/deletion',
  'photos/deaths',
  'proofs/authorisation',
  'proofs/fuzz',
  'proofs/visibility-matrix',
  'recovery/recovery',
  'search/filters-cost',
].map((name) => `tests/worker/${name}.test.ts`);

/** Files of tests/worker that only CI runs. */
const THOROUGH_WORKER_FILES = ['tests/worker/posts/harvest.test.ts'];

/** Files that run real commands of wrangler and vite, or measure how well matching works. Only CI runs them. */
const LARGE_FILES = [
  'tests/bench/**/*.test.ts',
  ...['export', 'grant-admin', 'hot', 'query', 'seed', 'third-language'].map((name) => `tests/scripts/${name}.test.ts`),
];

/** Test files of tests/web that reload the app's modules. Each runs isolated: reloading would affect other files. */
const MOCK_WEB_MODULES = [
  'api/session-in-tabs.test.tsx',
  'app/error-boundary.test.tsx',
  'app/first-paint.test.ts',
  'lib/i18n.test.tsx',
  'offline/outbox-sender.test.tsx',
  'offline/photo-queue.test.tsx',
].map((name) => `tests/web/${name}`);

/** Packages that are bundled for the tests, so that each loads as one module instead of up to a hundred. */
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

type ProjectTestOptions = TestProjectInlineConfiguration['test'];

/** Returns a project whose tests run in workerd, with all of the Worker's bindings. */
function workerProject(
  test: NonNullable<ProjectTestOptions> & { name: string },
  bindings: { THOROUGH: 'yes' | 'no'; FUZZ_REQUESTS: string },
): TestProjectInlineConfiguration {
  return {
    plugins: [
      ...(test.isolate === false ? [cheapPasswordsPlugin()] : []),
      cloudflareTest(async () => ({
        main: './worker/index.ts',
        // Logs only errors: the plugin otherwise logs each request that a test aborts on purpose.
        verbose: false,
        wrangler: { configPath: './wrangler.toml' },
        miniflare: {
          // Delivers dead letters at once. In production the queue collects them for five seconds.
          queueConsumers: { 'patikana-whatsapp-dead': { maxBatchTimeout: 0 } },
          bindings: {
            ...TEST_SECRETS,
            ...bindings,
            WHATSAPP_TRANSPORT: 'local',
            ADMIN_STEP_UP: 'off',
            WHATSAPP_DISPLAY_NUMBER: '+255700000100',
            VAPID_PRIVATE_KEY: JSON.stringify(makeVapidKey()),
            VAPID_SUBJECT: 'mailto:posta@patikana.test',
            // These times are so long that no notice is sent on a channel automatically. Tests that need a sent notice
            // trigger the sending themselves.
            NOTICE_PUSH_SECONDS: LONG_SECONDS,
            NOTICE_WHATSAPP_SECONDS: LONG_SECONDS,
            NOTICE_EMAIL_SECONDS: LONG_SECONDS,
            FUZZ_SEED: process.env.FUZZ_SEED ?? '1',
            TEST_MIGRATIONS: await readD1Migrations('./migrations'),
          },
        },
      })),
    ],
    test: {
      runner: './tests/worker/support/runner.ts',
      setupFiles: ['tests/worker/support/setup.ts'],
      testTimeout: 30_000,
      deps: { optimizer: { ssr: { enabled: true, include: PACKAGES_OF_THE_WORKER } } },
      // `expect.poll` waits this long for a condition, because the machine may be busy. The default is one second.
      expect: { poll: { timeout: 15_000 } },
      ...test,
    },
  };
}

/** Returns a project whose tests run the screens in jsdom. */
function webProject(test: ProjectTestOptions & { name: string }): TestProjectInlineConfiguration {
  return {
    plugins: [react()],
    test: {
      environment: 'jsdom',
      // Runs each test file in a thread. With a process for each file the tests take a tenth longer.
      pool: 'threads',
      environmentOptions: { jsdom: { url: 'http://localhost:8787' } },
      setupFiles: ['tests/web/support/packages.ts', 'tests/web/support/setup.ts'],
      testTimeout: 15_000,
      ...test,
    },
  };
}

const SMALL = { THOROUGH: 'no', FUZZ_REQUESTS: '300' } as const;
const WHOLE = { THOROUGH: 'yes', FUZZ_REQUESTS: process.env.FUZZ_REQUESTS ?? '10000' } as const;

/**
 * The projects run unit tests and tests of scripts in Node, tests of the Worker in workerd with real D1, Durable
 * Objects and queues, and tests of screens in jsdom. The files of a project share the runtime and its modules
 * (`isolate: false`). Files that mock modules are in separate, isolated projects. CI runs the thorough projects, and
 * `npm test` omits them.
 */
export default defineConfig({
  test: {
    // Two more workers than cores: while a test waits for workerd, a response or a timer, another test uses its core.
    maxWorkers: availableParallelism() + 2,
    // Shows the Worker's logs only for failed tests.
    silent: 'passed-only',
    reporters: ['./tests/support/report-run.ts'],
    projects: [
      {
        plugins: [textModulesPlugin()],
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          environment: 'node',
          isolate: false,
          testTimeout: 15_000,
        },
      },
      {
        test: {
          name: 'scripts',
          include: ['tests/scripts/**/*.test.ts'],
          exclude: LARGE_FILES,
          env: WRANGLER_AS_USUAL,
          environment: 'node',
        },
      },
      webProject({
        name: 'web',
        include: ['tests/web/**/*.test.{ts,tsx}'],
        exclude: MOCK_WEB_MODULES,
        isolate: false,
      }),
      webProject({ name: 'web-isolated', include: MOCK_WEB_MODULES }),
      workerProject(
        {
          name: 'worker',
          include: ['tests/worker/**/*.test.ts'],
          exclude: [
            ...MOCK_WORKER_MODULES,
            ...THOROUGH_WORKER_FILES,
            // In CI the project `thorough-worker` runs these files in full. This project then omits their shorter
            // version.
            ...(process.env.ALL_TESTS ? LARGE_WORKER_FILES : []),
          ],
          isolate: false,
        },
        SMALL,
      ),
      {
        plugins: [textModulesPlugin()],
        test: { name: 'thorough', include: LARGE_FILES, environment: 'node', env: WRANGLER_AS_USUAL },
      },
      workerProject(
        { name: 'thorough-worker', include: [...LARGE_WORKER_FILES, ...THOROUGH_WORKER_FILES], isolate: false },
        WHOLE,
      ),
      // Only CI runs these files: each starts its own runtime, which takes longer than its tests.
      workerProject({ name: 'thorough-mocks', include: MOCK_WORKER_MODULES }, WHOLE),
    ],
  },
});
