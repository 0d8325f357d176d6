import { DAY_MS } from '#contract/durations.ts';

const YEAR_MS = 365 * DAY_MS;

/** How long data is kept once nobody needs it. /privacy promises these times: a longer one here would break the promise. */
export const KEPT_MS = {
  /** A post, from when it was first marked as found. */
  foundPost: YEAR_MS,
  /** A settled claim, from its last change. */
  claim: YEAR_MS,
  feedback: YEAR_MS,
  /** A notice, once it has been delivered or withdrawn. */
  notice: YEAR_MS,
  /** Decisions of admins about people and posts, with their reasons. */
  moderation: YEAR_MS,
  /** A code or proof expires within minutes; for a day we can still answer that it has. */
  code: DAY_MS,
  /** A message that the queue has not accepted within a day is outdated. */
  outbox: DAY_MS,
  /** A WhatsApp message: Meta may report on one of ours, or redeliver one to us, for a week. */
  delivery: 8 * DAY_MS,
  /** A weekly export of the database: thirteen exist at any time. */
  export: 89 * DAY_MS,
  /** The record that an account was erased: longer than any export that contains the account. */
  erased: 97 * DAY_MS,
} as const;
