import { expect, type Page } from '@playwright/test';

/** Holds back the app's scripts until they are let through. @returns what lets them. */
export async function holdScripts(page: Page): Promise<() => Promise<void>> {
  const { promise: isLetThrough, resolve: letThrough } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await isLetThrough;
    await route.continue();
  });
  return async () => {
    letThrough();
    await expect(page.locator('[data-prerendered]')).toHaveCount(0);
  };
}
