import type { Language } from '#contract/language.ts';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { holdScripts } from '#tests/support/e2e-offline.ts';
import { readSeen, watch } from '#tests/support/e2e-screen.ts';

/** The heading of each page before any script has loaded. */
const HEADLINES: Record<string, Record<Language, string>> = {
  '/': { en: 'Welcome to Patikana', sw: 'Karibu Patikana' },
  '/view-posts': { en: 'Discover lost items', sw: 'Tafuta vitu vilivyopotea' },
  '/login': { en: 'Log in', sw: 'Ingia' },
  '/register': { en: 'Create an account', sw: 'Fungua akaunti' },
  '/forgot-password': { en: 'Forgot your password?', sw: 'Umesahau nenosiri?' },
  '/communities': { en: 'Communities', sw: 'Jumuiya' },
};

for (const language of ['en', 'sw'] as const) {
  test.describe(`for a user with the language ${language}`, () => {
    test.use({ locale: language });
    // A wide screen is tested only in Swahili, whose texts are longer.
    test.skip(({ isMobile }) => !isMobile && language === 'en');

    test('a page shows its text before any script has loaded, and its layout does not shift when the app starts', async ({
      context,
    }) => {
      for (const [path, headlines] of Object.entries(HEADLINES)) {
        await test.step(path, async () => {
          const page = await context.newPage();
          await watch(page);
          const letScriptsCome = await holdScripts(page);
          await page.goto(path, { waitUntil: 'commit' });
          const headline = page.locator('[data-prerendered] h1:visible');
          await expect(headline).toContainText(headlines[language]);
          await expect(headline).toHaveCSS('font-weight', '800');
          await expect(page.locator('html')).toHaveAttribute('lang', language);
          const title = await page.title();
          expect(title).toMatch(/. · Patikana$/);

          await letScriptsCome();
          await expect(page.locator('#root h1:visible')).toContainText(headlines[language]);
          await expect(page).toHaveTitle(title);
          const seen = await readSeen(page);
          expect(seen.shift).toBe(0);
          expect(seen.headlines).toHaveLength(1);
          await page.close();
        });
      }
    });
  });
}
