import { expect } from 'vitest';

const NAMED =
  'a, button, input, select, textarea, dialog, progress, nav, [role=group], [role=tablist], [role=tabpanel], [role=img]';
const DRAWN = 'svg, canvas';
const SKELETON = '.skeleton';
const REFERENCES = ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for'];

/** Checks the accessibility rules for every page, whatever the test is about. */
export function checkAccessible(page: ParentNode): void {
  for (const element of page.querySelectorAll(NAMED)) expect(element).toHaveAccessibleName();
  for (const link of page.querySelectorAll('a')) expect(link).toHaveAttribute('href');
  for (const drawing of page.querySelectorAll(DRAWN)) {
    if (!drawing.matches('[role=img]')) expect(drawing).toHaveAttribute('aria-hidden', 'true');
  }
  // Content that has not loaded is either omitted or marked as loading.
  for (const bar of page.querySelectorAll(SKELETON)) {
    expect(bar.closest('[aria-busy=true], [aria-hidden=true]'), bar.outerHTML).not.toBeNull();
  }
  for (const reference of REFERENCES) checkReferences(page, reference);
}

function checkReferences(page: ParentNode, attribute: string): void {
  for (const element of page.querySelectorAll(`[${attribute}]`)) {
    const ids = element.getAttribute(attribute)?.split(' ') ?? [];
    const missing = ids.filter((id) => !document.getElementById(id));
    expect(missing, `${attribute} of ${element.outerHTML}`).toEqual([]);
  }
}
