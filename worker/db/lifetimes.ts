const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;

/** How long what nobody needs any more is kept. /privacy promises as much: a longer time here makes it untrue. */
export const KEPT_MS = {
  /** A post, from its first marking as found. */
  foundPost: YEAR_MS,
  /** A claim, from when something last changed in it, once it is settled. */
  claim: YEAR_MS,
  feedback: YEAR_MS,
  /** What somebody was told, once their mailbox has agreed with it. */
  notice: YEAR_MS,
  /** What admins have decided of people and posts, and why. */
  moderation: YEAR_MS,
  /** A code expires in ten minutes; that it did can be said for a day. */
  code: DAY_MS,
  /** What the queue has not taken in a day is old news. */
  outbox: DAY_MS,
  /** Of a WhatsApp message: Meta may report on it for a week. */
  delivery: 8 * DAY_MS,
  /** How many notices of a day came how far: a day can be put beside the same one of the year before. */
  noticeDays: 400 * DAY_MS,
  /** A weekly export of the database, so that there are thirteen. */
  export: 89 * DAY_MS,
  /** That an account was erased: longer than any export that has it. */
  erased: 97 * DAY_MS,
} as const;
