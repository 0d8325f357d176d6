import type { Locator, Page } from '@playwright/test';
import type { Language } from '#contract/language.ts';
import { test as base, expect } from '#tests/support/e2e-fixtures.ts';
import { waitUntilKept } from '#tests/support/e2e-offline.ts';
import { newPost } from '#tests/support/e2e-people.ts';
import { findViolations } from '#tests/support/e2e-screen.ts';

const DISMISS: Record<Language, string> = { en: 'Dismiss message', sw: 'Ondoa ujumbe' };
const TARGET_PX = 44;

type Opened = {
  page: Page;
  /** Copies the post's link, which shows a toast. */
  share: () => Promise<void>;
  toasts: Locator;
};

const test = base.extend<{ openPost: (language?: Language) => Promise<Opened> }>({
  openPost: async ({ person, openAs }, use) => {
    await use(async (language) => {
      const { id } = await newPost(await person());
      const page = await openAs(null, `/posts/${id}`, language && { language });
      await page.context().grantPermissions(['clipboard-write']);
      const button = page.getByRole('button', { name: /^(Share|Sambaza)$/ });
      await expect(button).toBeVisible();
      return {
        page,
        async share() {
          await button.click();
          await page
            .getByRole('dialog')
            .getByRole('button', { name: /^(Copy the message|Nakili ujumbe)$/ })
            .click();
          await expect(page.getByRole('dialog')).toHaveCount(0);
        },
        toasts: page.getByRole('region', { name: /^(Messages|Ujumbe)$/ }).locator('.Toastify__toast'),
      };
    });
  },
});

test.use({ serviceWorkers: 'allow' });

/** Stops the page's clock: from now on, time passes only when the test advances the clock. */
async function stopTime(page: Page): Promise<void> {
  const now = await page.evaluate(() => Date.now());
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 1_000);
}

/**
 * Waits until the last render has taken effect, for example after a finger is lifted. The browser runs a task of the
 * priority `background` after its other tasks.
 */
async function hasNothingToDo(page: Page): Promise<void> {
  await page.evaluate(() => scheduler.postTask(() => undefined, { priority: 'background' }));
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error(`${locator} is not on the screen`);
  return box;
}

test('a toast disappears after three seconds even if the user taps the toast or dismisses another toast', async ({
  openPost,
}) => {
  const { page, share, toasts } = await openPost();
  await stopTime(page);
  await share();
  await expect(toasts).toHaveText(['Link copied.']);
  await page.clock.runFor(2_900);
  await expect(toasts).toHaveCount(1);
  await page.clock.runFor(200);
  await expect(toasts).toHaveCount(0);

  await share();
  await share();
  await expect(toasts).toHaveCount(2);
  // Dismisses the lower toast: no other toast then moves under the pointer.
  await toasts.last().getByRole('button', { name: DISMISS.en }).click();
  await expect(toasts).toHaveCount(1);
  await page.clock.runFor(3_100);
  await expect(toasts).toHaveCount(0);

  await share();
  await toasts.getByText('Link copied.').tap();
  await hasNothingToDo(page);
  await page.clock.runFor(3_100);
  await expect(toasts).toHaveCount(0);
});

test('the dismiss button of a toast has an accessible name and is large enough for a thumb', async ({ openPost }) => {
  const { page, share, toasts } = await openPost('sw');
  await stopTime(page);
  await share();
  await expect(toasts).toHaveCount(1);
  const dismiss = page.getByRole('button', { name: DISMISS.sw, exact: true });
  const { width, height } = await boxOf(dismiss);
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(TARGET_PX);
  // A toast with the focus does not disappear. The clock runs again, because the accessibility check needs animation
  // frames.
  await dismiss.focus();
  await page.clock.resume();
  expect(await findViolations(page)).toEqual([]);
  await dismiss.click();
  await expect(toasts).toHaveCount(0);
});

test('a toast appears below the navigation, and Escape closes an open menu or dialog before the toast', async ({
  openPost,
}) => {
  const { page, share, toasts } = await openPost();
  await stopTime(page);
  await share();
  await expect(toasts).toHaveCount(1);
  const header = page.getByRole('banner');
  const bottomOf = async (locator: Locator) => {
    const { y, height } = await boxOf(locator);
    return y + height;
  };
  const { x, y, width } = await boxOf(toasts);
  expect(y).toBeGreaterThanOrEqual(await bottomOf(header));
  expect(x + width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  expect(x + width / 2).toBeGreaterThanOrEqual((page.viewportSize()?.width ?? 0) / 2);
  const menu = page.getByRole('button', { name: 'Open menu' });
  await menu.click();
  expect((await boxOf(toasts)).y).toBeGreaterThanOrEqual(await bottomOf(header));
  await page.keyboard.press('Escape');
  await expect(menu).toBeFocused();
  await expect(toasts).toHaveCount(1);

  await menu.click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Communities' }).click();
  await expect(page).toHaveURL(/\/communities$/);
  await page.getByRole('button', { name: 'Create a community' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(toasts).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(toasts).toHaveCount(0);
});

test('a swipe to either side removes a toast, and a short drag does not', async ({ openPost }) => {
  const { page, share, toasts } = await openPost();
  await stopTime(page);
  for (const byPx of [120, -120]) {
    await share();
    await expect(toasts).toHaveCount(1);
    const { x } = await boxOf(toasts);
    await swipe(page, toasts, 30);
    await expect.poll(async () => (await boxOf(toasts)).x).toBe(x);
    await swipe(page, toasts, byPx);
    await expect(toasts).toHaveCount(0);
  }
});

test.describe('without a network', () => {
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
  test.use({ expectedErrors: async ({}, use) => use([/ERR_INTERNET_DISCONNECTED/]) });

  test('the first toast of a visit appears even if nothing more can be downloaded', async ({ openPost }) => {
    const { page, share, toasts } = await openPost();
    await waitUntilKept(page);
    // Loads the dialog's code, which the service worker does not cache for visitors.
    await page.getByRole('button', { name: 'Share' }).click();
    await expect(page.getByRole('dialog').getByRole('link', { name: 'WhatsApp' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.context().setOffline(true);
    await share();
    await expect(toasts).toHaveText(['Link copied.']);
  });
});

/** Moves a finger from the middle of the element to the side. */
async function swipe(page: Page, element: Locator, byPx: number): Promise<void> {
  const { x, y, width, height } = await boxOf(element);
  const from = { x: x + width / 2, y: y + height / 2 };
  const finger = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', [from]);
  for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', [{ x: from.x + byPx * part, y: from.y }]);
  await touch('touchEnd', []);
  await finger.detach();
}
