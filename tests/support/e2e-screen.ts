import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type ElementHandle, expect, type Locator, type Page } from '@playwright/test';
import type axe from 'axe-core';

/** The minified file of axe. The normal file is twice as large, and each checked page would have to parse it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The most presses of Tab. No screen has so many controls. */
const PRESSES_MAX = 60;

/** Presses Tab (or Shift+Tab) until the control has the focus, like a keyboard user. */
export async function tabTo(page: Page, control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  // Without this wait, the focus could pass the control's place in the page before the control has loaded.
  await control.waitFor({ state: 'attached' });
  // Finds the elements once, because finding an element by its role computes the roles of the whole page.
  let elements = await control.elementHandles();
  for (let presses = 0; presses < PRESSES_MAX; presses++) {
    await page.keyboard.press(key);
    const focus = await findFocus(page, elements);
    if (focus === 'there') return;
    if (focus === 'unknown') elements = await control.elementHandles();
  }
  throw new Error(`The keyboard does not reach ${control}`);
}

/** Where the focus is: on one of the elements, or elsewhere. Unknown if the page has replaced one of them. */
function findFocus(page: Page, elements: ElementHandle[]): Promise<'there' | 'elsewhere' | 'unknown'> {
  return page.evaluate((all) => {
    if (all.some((element) => element === document.activeElement)) return 'there';
    return all.length > 0 && all.every((element) => element.isConnected) ? 'elsewhere' : 'unknown';
  }, elements);
}

/** Moves the focus to the control and presses it. */
export async function press(page: Page, control: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press(key);
}

/** Moves the focus to the field with that label and types. */
export async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.type(text);
}

/** Moves the focus to the dropdown with that label and types `option`, so that the browser selects this option. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  await tabTo(page, page.getByRole('combobox', { name: label }));
  await page.keyboard.type(option);
}

export function button(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true });
}

export function link(page: Page, name: string): Locator {
  return page.getByRole('link', { name, exact: true });
}

/** Microtasks between the two presses. A browser runs all microtasks before a real second press. */
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

/** Runs `press`, and holds its requests back until `press` has finished. @returns the number of these requests. */
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

type PostTexts = {
  title: string;
  location?: string;
  /** If null, the form keeps the phone number that it has filled in. */
  phone?: string | null;
};

/** Fills in the required fields of a post. */
export async function fillPost(
  page: Page,
  { title, location = 'Stendi ya Ubungo', phone = '0712345678' }: PostTexts,
): Promise<void> {
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Location').fill(location);
  if (phone !== null) await page.getByLabel('Phone number').fill(phone);
}

export async function sendPost(page: Page, texts: PostTexts): Promise<void> {
  await fillPost(page, texts);
  await page.getByRole('button', { name: 'Post item' }).click();
}

export type Seen = { shift: number; headlines: string[] };

/** Sums up layout shifts, and collects the text of each `h1` that is visible in at least one animation frame. */
function watchScreen(): void {
  const seen: Seen = { shift: 0, headlines: [] };
  Object.assign(window, { seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true });
  const look = () => {
    for (const heading of document.querySelectorAll('h1')) {
      const isNew = heading.checkVisibility() && !seen.headlines.includes(heading.textContent);
      if (isNew) seen.headlines.push(heading.textContent);
    }
    requestAnimationFrame(look);
  };
  look();
}

/** Starts `watchScreen` when the page loads. Call it before the page is opened. */
export async function watch(page: Page): Promise<void> {
  await page.addInitScript(watchScreen);
}

export function readSeen(page: Page): Promise<Seen> {
  return page.evaluate(() => (window as unknown as { seen: Seen }).seen);
}

const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Lists axe's violations on the current page, one a line, each prefixed with the theme. */
export async function findViolations(page: Page): Promise<string[]> {
  // The page still has axe if no document was loaded since the last check.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const light = await analyze(page, 'light', { type: 'tag', values: WCAG_22_AA });
  // The themes differ only in colours.
  const dark = await analyze(page, 'dark', { type: 'rule', values: ['color-contrast'] });
  return [...light, ...dark];
}

async function analyze(page: Page, colorScheme: 'light' | 'dark', runOnly: axe.RunOnly): Promise<string[]> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  return page.evaluate(
    async ({ colorScheme, runOnly }) => {
      // Waits for the transitions to the new theme's colours.
      const isChangingColour = (animation: Animation) =>
        animation instanceof CSSTransition && animation.playState === 'running';
      const nextFrame = () => new Promise((shown) => requestAnimationFrame(shown));
      do await nextFrame();
      while (document.getAnimations().some(isChangingColour));
      const { violations } = await window.axe.run({ runOnly, resultTypes: ['violations'] });
      return violations.map(
        ({ id, help, nodes }) => `${colorScheme}: ${id}: ${help} (${nodes.map(({ target }) => target).join(', ')})`,
      );
    },
    { colorScheme, runOnly },
  );
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
