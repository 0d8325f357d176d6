import { useEffect, useLayoutEffect, useState } from 'react';

const CONTROLS = 'a, button, input, textarea, select, summary';

/**
 * Lets the app take the place of the prerendered page, in one step and before a paint, and loses nothing that its
 * reader did meanwhile: what was typed, where the focus was, the form that was sent (`aria-busy`), the button that was
 * touched last (`data-touched`). Stands behind the app, whose first commit it waits for.
 */
export function TakeOver() {
  const [pressed, setPressed] = useState<HTMLElement[]>([]);
  useLayoutEffect(() => {
    const pages = [...document.querySelectorAll<HTMLElement>('[data-prerendered]')];
    const page = pages.find((one) => one.lang === document.documentElement.lang);
    const app = document.getElementById('root');
    if (page && app) setPressed(carryOver(page, app));
    for (const one of pages) one.remove();
  }, []);
  // With the render that has what was typed in its state: sent any sooner, a form would be empty. By then the app's own
  // effects have run, too: opening a screen closes its menu.
  useEffect(() => {
    for (const control of pressed) control.click();
  }, [pressed]);
  return null;
}

/** @returns the app's own controls for those that were pressed. */
function carryOver(page: HTMLElement, app: HTMLElement): HTMLElement[] {
  const replacements = findReplacements(page, app);
  for (const [control, replacement] of replacements) {
    if (isTextControl(control) && isTextControl(replacement) && control.value !== '') type(control, replacement);
    if (control === document.activeElement) replacement.focus({ preventScroll: true });
  }
  const sent = [...page.querySelectorAll<HTMLElement>('[aria-busy]')];
  const touched = [...page.querySelectorAll<HTMLElement>('[data-touched]')];
  const pressed = new Set([...sent, ...touched].map((control) => replacements.get(control)));
  return [...pressed].filter((control) => control !== undefined);
}

/** The two were rendered from the same screen, though maybe not for the same person: what is called the same is the same. */
function findReplacements(page: HTMLElement, app: HTMLElement): Map<HTMLElement, HTMLElement> {
  const left = [...app.querySelectorAll<HTMLElement>(CONTROLS)];
  const replacements = new Map<HTMLElement, HTMLElement>();
  for (const control of page.querySelectorAll<HTMLElement>(CONTROLS)) {
    const name = nameOf(control);
    const at = left.findIndex((candidate) => nameOf(candidate) === name);
    const replacement = left[at];
    if (!replacement) continue;
    replacements.set(control, replacement);
    left.splice(at, 1);
  }
  return replacements;
}

/** That of a button that sends a form must not depend on whether it has been pressed. */
function nameOf(control: HTMLElement): string {
  const { localName, dataset, textContent } = control;
  const name = control.getAttribute('name') ?? control.getAttribute('aria-label') ?? dataset.busyLabel ?? textContent;
  return `${localName} ${name}`;
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
