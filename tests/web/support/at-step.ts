import { onTestFinished } from 'vitest';

/** The browser router's index of a history entry, which the tests' router lacks. */
export function atStep(idx: number): void {
  window.history.replaceState({ idx }, '');
  onTestFinished(() => window.history.replaceState(null, ''));
}
