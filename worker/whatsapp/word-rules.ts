/** What people write to us to be left alone by WhatsApp, and to be written to again. */
const WORDS = new Map([
  ['stop', false],
  ['acha', false],
  ['start', true],
  ['anza', true],
]);

/** @returns whether the text, which is one of those words and nothing else, switches WhatsApp on; null for any other. */
export function readWord(text: string): boolean | null {
  return WORDS.get(text.trim().toLowerCase()) ?? null;
}

/** The ids of messages are kept for so long: an older one could not be told from one that has been heard. */
const HEARD_FOR_MS = 7 * 24 * 60 * 60 * 1000;
/** Clocks differ, and messages tell their time in whole seconds. */
const AHEAD_MS = 60_000;

/** Whether a message is of a time at which it may count. A STOP counts late, too: Meta brings it for a week. */
export function isTimely(sentAt: number, now: number): boolean {
  return sentAt > now - HEARD_FOR_MS && sentAt <= now + AHEAD_MS;
}
