import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe holds against the page as it stands, a line each, beginning with the theme. */
export async function findViolations(page: Page): Promise<string[]> {
  const light = await analyze(page, 'light', (axe) => axe.withTags(WCAG_22_AA));
  // The themes differ in their colours and in nothing else.
  const dark = await analyze(page, 'dark', (axe) => axe.withRules(['color-contrast']));
  return [...light, ...dark];
}

async function analyze(page: Page, colorScheme: 'light' | 'dark', choose: (axe: AxeBuilder) => AxeBuilder) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  // A theme that was just chosen is on the screen with the next frame but one.
  await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))));
  const { violations } = await choose(new AxeBuilder({ page })).analyze();
  return violations.map(
    ({ id, help, nodes }) => `${colorScheme}: ${id}: ${help} (${nodes.map(({ target }) => target).join(', ')})`,
  );
}
