import type { Page } from '@playwright/test';

export type Seen = { shift: number; headlines: string[] };

/** Adds up how far what is on the screen moves, and collects the headlines that show in any frame. */
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

/** Before the page is opened. */
export async function watch(page: Page): Promise<void> {
  await page.addInitScript(watchScreen);
}

export function readSeen(page: Page): Promise<Seen> {
  return page.evaluate(() => (window as unknown as { seen: Seen }).seen);
}
