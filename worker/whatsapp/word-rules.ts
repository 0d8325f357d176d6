import { DAY_MS, MINUTE_MS } from '#contract/durations.ts';

/** The words that switch WhatsApp notices off and on. */
const WORDS = new Map([
  ['stop', false],
  ['acha', false],
  ['start', true],
  ['anza', true],
]);

/** @returns true for on, false for off, null if the text is anything but one of those words. */
export function readWord(text: string): boolean | null {
  return WORDS.get(text.trim().toLowerCase()) ?? null;
}

/** Message ids are kept at least this long, so that a redelivered message is recognised. */
const HEARD_FOR_MS = 7 * DAY_MS;
/** Clocks differ, and messages have their time in whole seconds. */
const AHEAD_MS = MINUTE_MS;

/** Whether a message is recent enough to count. Even a late STOP counts: Meta redelivers for a week. */
export function isTimely(sentAt: number, now: number): boolean {
  return sentAt > now - HEARD_FOR_MS && sentAt <= now + AHEAD_MS;
}
