import { onTestFinished } from 'vitest';

/** Where in the visit the entry stands, as the browser's router counts. The tests' own router does not. */
export function atStep(idx: number): void {
  window.history.replaceState({ idx }, '');
  onTestFinished(() => window.history.replaceState(null, ''));
}
