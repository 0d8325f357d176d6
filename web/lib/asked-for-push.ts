import { DAY_MS } from '#contract/durations.ts';

/** On the phone and for each account: whoever uses two phones is asked on each, and so is the next person on this one. */
const PREFIX = 'pushAskedAt:';
const DAYS = 30;

/** Whether thirty days have gone by since this person was asked here whether they want to be told. */
export function mayAskForPush(userId: string): boolean {
  return Date.now() - Number(localStorage.getItem(PREFIX + userId) ?? 0) >= DAYS * DAY_MS;
}

export function noteAskedForPush(userId: string): void {
  try {
    localStorage.setItem(PREFIX + userId, String(Date.now()));
  } catch {
    // A full storage: they are asked again sooner.
  }
}
