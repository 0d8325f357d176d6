import { useEffect, useLayoutEffect, useRef } from 'react';

const CONTROLS = 'a, button, input, textarea, select, summary';

/**
 * Lets the app take the place of the prerendered page, in one step and before a paint, and loses nothing that its
 * reader did meanwhile: what was typed, where the focus was, the button that was touched (`data-touched`). Stands
 * behind the app, whose first commit it waits for.
 */
export function TakeOver() {
  const touched = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const pages = [...document.querySelectorAll<HTMLElement>('[data-prerendered]')];
    const page = pages.find((one) => one.lang === document.documentElement.lang);
    const app = document.getElementById('root');
    if (page && app && document.documentElement.dataset.page) touched.current = carryOver(page, app);
    for (const one of pages) one.remove();
  }, []);
  // Once the app's own effects have run: opening a screen closes its menu.
  useEffect(() => touched.current?.click(), []);
  return null;
}

/**
 * The two were rendered from the same screen: the control at the same place is the same control.
 * @returns the app's own for the one that was touched.
 */
function carryOver(page: HTMLElement, app: HTMLElement): HTMLElement | null {
  const replacements = [...app.querySelectorAll<HTMLElement>(CONTROLS)];
  let touched: HTMLElement | null = null;
  for (const [at, control] of [...page.querySelectorAll<HTMLElement>(CONTROLS)].entries()) {
    const replacement = replacements[at];
    if (replacement?.tagName !== control.tagName) break;
    if (isTextControl(control) && isTextControl(replacement) && control.value !== '') type(control, replacement);
    if (control === document.activeElement) replacement.focus({ preventScroll: true });
    if (control.dataset.touched !== undefined) touched = replacement;
  }
  return touched;
}

type TextControl = HTMLInputElement | HTMLTextAreaElement;

function isTextControl(control: HTMLElement): control is TextControl {
  return control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement;
}

/** As the reader typed it: React learns of a value by the event, and of none that is set on its own control. */
function type(from: TextControl, to: TextControl): void {
  const prototype = to instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(to, from.value);
  to.dispatchEvent(new Event('input', { bubbles: true }));
}
