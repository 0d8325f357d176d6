import type { Locator, Page } from '@playwright/test';
import type { Language } from '#contract/language.ts';
import { test as base, expect } from '#tests/support/e2e-fixtures.ts';
import { waitUntilKept } from '#tests/support/e2e-offline.ts';
import { newPost } from '#tests/support/e2e-people.ts';
import { findViolations } from '#tests/support/find-violations.ts';

const DISMISS: Record<Language, string> = { en: 'Dismiss message', sw: 'Ondoa ujumbe' };
const TARGET_PX = 44;

type Opened = {
  page: Page;
  /** Shares the post through the clipboard, of which a message tells. */
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

/** From here on time passes only as the test says. */
async function stopTime(page: Page): Promise<void> {
  const now = await page.evaluate(() => Date.now());
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 1_000);
}

/** What was rendered last, such as that a finger is gone, has taken effect. Of all tasks this one comes last. */
async function hasNothingToDo(page: Page): Promise<void> {
  await page.evaluate(() => scheduler.postTask(() => undefined, { priority: 'background' }));
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error(`${locator} is not on the screen`);
  return box;
}

test('a message goes after three seconds, also one that was tapped or is left after another was dismissed', async ({
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
  // The lower one: no other comes below the pointer when it goes.
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

test('a message is dismissed by a button with a name and room for a thumb', async ({ openPost }) => {
  const { page, share, toasts } = await openPost('sw');
  await stopTime(page);
  await share();
  await expect(toasts).toHaveCount(1);
  const dismiss = page.getByRole('button', { name: DISMISS.sw, exact: true });
  const { width, height } = await boxOf(dismiss);
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(TARGET_PX);
  // Held by the focus; what looks at the page needs its frames.
  await dismiss.focus();
  await page.clock.resume();
  expect(await findViolations(page)).toEqual([]);
  await dismiss.click();
  await expect(toasts).toHaveCount(0);
});

test('a message hangs below the navigation and leaves it within reach, and Escape closes it last', async ({
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

test('a message is pushed aside to either side, and comes back when it was hardly moved', async ({ openPost }) => {
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
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  test.use({ expectedErrors: async ({}, use) => use([/ERR_INTERNET_DISCONNECTED/]) });

  test('the first message that a visitor gets is there as well', async ({ openPost }) => {
    const { page, share, toasts } = await openPost();
    await waitUntilKept(page);
    // The dialog's own code is not kept for visitors.
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
