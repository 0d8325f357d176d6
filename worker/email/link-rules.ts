import { HOUR_MS } from '#contract/durations.ts';
import { EMAIL_LINK_LIFETIME_HOURS } from '#contract/limits.ts';
import { fingerprint } from '#worker/identity/fingerprint.ts';

export const LINK_LIFETIME_MS = EMAIL_LINK_LIFETIME_HOURS * HOUR_MS;

/**
 * The token of a link, derived from its random id and the Worker's secret. It is derived again when the e-mail is sent,
 * so that the database, the queue and the dead letters contain nothing that opens the link.
 */
export function toToken(secret: string, linkId: string): string {
  return fingerprint(secret, 'email-link', linkId);
}

/** The digest by which the database finds a link. */
export function digestToken(secret: string, token: string): string {
  return fingerprint(secret, 'email-link-digest', token);
}
