import { useEffect, useLayoutEffect, useState } from 'react';

const CONTROLS = 'a, button, input, textarea, select, summary';

/**
 * Replaces the prerendered page by the app before the next paint. Carries over what the user did in the page: typed
 * text, the focus, a submitted form (`aria-busy`) and the last pressed button (`data-touched`). Must be rendered after
 * the app, because React runs effects in the order of rendering.
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
  // Repeats the presses only after the app has rendered with the typed text: before that, a form would submit empty
  // fields. The app's first effects must have run too: one of them would close a menu that a press has opened.
  useEffect(() => {
    for (const control of pressed) control.click();
  }, [pressed]);
  return null;
}

/** @returns the app's counterparts of the buttons that the user pressed in the prerendered page. */
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

/**
 * Finds the app's control for each control of the prerendered page, by name. The page was rendered for a visitor and
 * the app perhaps for a signed-in user, so some controls have no counterpart.
 */
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

/**
 * Returns the name of a control. A submit button is named by its busy label, because the label on the button changes
 * while it is busy.
 */
function nameOf(control: HTMLElement): string {
  const { localName, dataset, textContent } = control;
  const name = control.getAttribute('name') ?? control.getAttribute('aria-label') ?? dataset.busyLabel ?? textContent;
  return `${localName} ${name}`;
}

type TextControl = HTMLInputElement | HTMLTextAreaElement;

function isTextControl(control: HTMLElement): control is TextControl {
  return control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement;
}

/** Types a value into one of React's inputs. React would ignore a value set without the native setter and an event. */
function type(from: TextControl, to: TextControl): void {
  const prototype = to instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(to, from.value);
  to.dispatchEvent(new Event('input', { bubbles: true }));
}
