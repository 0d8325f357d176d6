import type { Page } from '@playwright/test';
import axe from 'axe-core';

const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Lists axe's violations on the current page, one a line, each prefixed with the theme. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(`${axe.source};`);
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
