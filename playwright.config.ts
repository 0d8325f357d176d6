import { defineConfig, devices } from '@playwright/test';
import { findHeadlessShell, TEST_FLAGS } from './tests/support/processes.ts';

const executablePath = findHeadlessShell();
if (executablePath === null) {
  console.error(
    'No Chromium was found: install it (Debian: apt-get install chromium chromium-headless-shell) or set CHROMIUM_PATH.',
  );
  process.exit(1);
}

/** Real-browser tests of the whole running app, at the sizes of a cheap phone and of a desktop. */
export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/support/start-app-once.ts',
  fullyParallel: true,
  workers: 2,
  // A busy machine needs several times longer for a test. Only a test that hangs may fail because of these limits.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    // Uses the installed Chromium. Playwright does not download one.
    launchOptions: { executablePath, args: TEST_FLAGS },
    // Blocks service workers: each new browser context would load the whole app again for its service worker. Only
    // tests of the service worker allow service workers.
    serviceWorkers: 'block',
    timezoneId: 'Africa/Dar_es_Salaam',
    // Records no traces: recording them takes a fifth of the processor. Run a failed test again with `--trace on` to
    // get its trace.
  },
  projects: [
    {
      name: 'phone',
      // Keyboard tests do not apply to phones.
      testIgnore: 'keyboard-*.spec.ts',
      use: { ...devices['Pixel 5'], viewport: { width: 360, height: 800 }, screen: { width: 360, height: 800 } },
    },
    {
      name: 'desktop',
      // Runs only tests with a keyboard, and tests whose result depends on the width of the screen.
      testMatch: ['keyboard-*.spec.ts', 'first-paint.spec.ts'],
      use: { viewport: { width: 1280, height: 800 } },
    },
  ],
});
