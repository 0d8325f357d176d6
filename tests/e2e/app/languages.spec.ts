import type { Page } from '@playwright/test';
import { expect, test } from '#tests/support/e2e-fixtures.ts';

declare global {
  interface Window {
    shownKeys: string[];
  }
}

/**
 * Makes the page collect every text that looks like a key, such as `loginTitle`, even if it is visible for one frame
 * only.
 */
async function collectKeys(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.shownKeys = [];
    const look = () => {
      const texts = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const text = texts.currentNode.textContent?.trim() ?? '';
        if (/^(title|[a-z]+[A-Z][A-Za-z]*)$/.test(text)) window.shownKeys.push(text);
      }
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

test('a screen that loads while the language changes appears in the new language, and never shows the key of a text', async ({
  page,
}) => {
  await collectKeys(page);
  await page.goto('/login');
  await expect(page.locator('[data-prerendered]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Kiswahili' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Ingia' })).toBeVisible();

  const { promise: network, resolve: arrive } = Promise.withResolvers<void>();
  let asked = 0;
  await page.route(/\/assets\/communities-/, async (route) => {
    asked += 1;
    await network;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Fungua menyu' }).click();
  await page.getByRole('link', { name: 'Jumuiya' }).click();
  await expect.poll(() => asked).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'English' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  // The previous screen stays until the next one and its texts are loaded.
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
  arrive();
  await expect(page.getByRole('heading', { level: 1, name: 'Communities' })).toBeVisible();
  await expect(page).toHaveTitle('Communities · Patikana');
  expect(await page.evaluate(() => window.shownKeys)).toEqual([]);
});

test('a language chosen on the communities screen applies to this screen, its title and the next visit', async ({
  page,
}) => {
  await collectKeys(page);
  await page.goto('/communities');
  await expect(page.locator('[data-prerendered]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Kiswahili' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Jumuiya' })).toBeVisible();
  await page.reload();
  await expect(page.locator('[data-prerendered]')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: 'Jumuiya' })).toBeVisible();
  await expect(page).toHaveTitle('Jumuiya · Patikana');
  expect(await page.evaluate(() => localStorage.getItem('i18nextLng'))).toBe('sw');
  expect(await page.evaluate(() => window.shownKeys)).toEqual([]);
});
