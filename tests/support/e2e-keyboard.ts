import type { Locator, Page } from '@playwright/test';

/** More than any screen has between its first control and its last. */
const PRESSES_MAX = 60;

/** Presses Tab (or Shift+Tab) until the control has the focus, as somebody without a mouse would. */
export async function tabTo(page: Page, control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const focused = control.and(page.locator(':focus'));
  // A list that is not there yet is passed over.
  await control.waitFor({ state: 'attached' });
  for (let presses = 0; presses < PRESSES_MAX; presses++) {
    await page.keyboard.press(key);
    if ((await focused.count()) > 0) return;
  }
  throw new Error(`The keyboard does not reach ${control}`);
}

/** Goes to the control and presses it. */
export async function press(page: Page, control: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press(key);
}

/** Goes to the field with that label and types, as fast as a person who knows the way. */
export async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.type(text);
}

/** Goes to the list with that label and chooses by the first letters. */
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
