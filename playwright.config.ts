import { defineConfig, devices } from '@playwright/test';
import { CHROMIUM_FLAGS, findChromium } from './tests/support/processes.ts';

const executablePath = findChromium();
if (executablePath === null) {
  console.error('No Chromium was found: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.');
  process.exit(1);
}

/** Real-browser tests of the whole running app, at the sizes of a cheap phone and of a desktop. */
export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/support/start-app-once.ts',
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    // The installed Chromium rather than one that Playwright downloads.
    launchOptions: { executablePath, args: CHROMIUM_FLAGS },
    // Each new context would otherwise load the whole app again for the service worker. Tests of the service worker
    // allow it.
    serviceWorkers: 'block',
    timezoneId: 'Africa/Dar_es_Salaam',
    // No traces: recording them takes a fifth of the processor. `--trace on` records those of a test that failed.
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
      // Of the other tests only the layout depends on the width.
      testMatch: ['keyboard-*.spec.ts', 'first-paint.spec.ts'],
      use: { viewport: { width: 1280, height: 800 } },
    },
  ],
});
