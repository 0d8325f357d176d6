import { expect, type Locator, type Page } from '@playwright/test';

/** Rounds of microtasks between the two presses: the browser runs them all before the next event, and perhaps no timer. */
const MICROTASKS = 50;

/** Presses twice, as fast as two presses can reach a page. */
export async function pressTwice(button: Locator): Promise<void> {
  await button.evaluate(async (element: HTMLElement, rounds) => {
    element.click();
    for (let round = 0; round < rounds; round++) await null;
    element.click();
  }, MICROTASKS);
}

type Write = { method: string; path: RegExp };

/**
 * Presses twice and holds the answer back until both presses are made.
 * @returns how many requests that made.
 */
export async function countWrites(page: Page, { method, path }: Write, press: () => Promise<void>): Promise<number> {
  let count = 0;
  const { promise: isPressed, resolve: release } = Promise.withResolvers<void>();
  const isMeant = (url: URL) => path.test(url.pathname);
  await page.route(isMeant, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    count++;
    await isPressed;
    await route.continue();
  });
  const answered = page.waitForResponse(
    (answer) => answer.request().method() === method && isMeant(new URL(answer.url())),
  );
  await press();
  release();
  expect((await answered).ok()).toBe(true);
  await page.unrouteAll({ behavior: 'wait' });
  return count;
}
