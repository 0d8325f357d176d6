import { defineConfig, devices } from '@playwright/test';
import { CHROMIUM_FLAGS, findChromium } from './tests/support/find-chromium.ts';

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
  // A shared machine may starve a browser. Tests that pass only on a retry are reported as flaky, with a trace.
  retries: process.env.CI ? 2 : 0,
  reporter: 'list',
  use: {
    // The installed Chromium rather than one that Playwright downloads.
    launchOptions: { executablePath, args: CHROMIUM_FLAGS },
    timezoneId: 'Africa/Dar_es_Salaam',
    trace: 'retain-on-failure',
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
      // Tests that do not depend on the width, or that are about a phone on a slow network, run only on the phone.
      testIgnore:
        /\/(accessibility|claims|community-term|dialogs-accessibility|double-press|early-forms|first-minute|feed|held-notices|languages|lists-come-back|live-notice|offline|passkeys|people|photos|post-ends|prove-number|recovery|second-thoughts|sharing|toasts)\.spec\.ts/,
      use: { viewport: { width: 1280, height: 800 } },
    },
  ],
});
