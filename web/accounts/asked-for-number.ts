import { DAY_MS } from '#contract/durations.ts';

/** On the phone and not in the account: whoever uses two is asked on each. */
const KEY = 'numberAskedAt';
const WEEK_MS = 7 * DAY_MS;

/** Whether a week has gone by since somebody was asked here to prove their number. */
export function isToBeAsked(): boolean {
  return Date.now() - Number(localStorage.getItem(KEY) ?? 0) >= WEEK_MS;
}

export function noteAsked(): void {
  try {
    localStorage.setItem(KEY, String(Date.now()));
  } catch {
    // A full storage: they are asked again sooner.
  }
}
