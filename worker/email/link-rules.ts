import { EMAIL_LINK_LIFETIME_HOURS } from '#contract/limits.ts';
import { fingerprint } from '#worker/identity/fingerprint.ts';

export const LINK_LIFETIME_MS = EMAIL_LINK_LIFETIME_HOURS * 60 * 60 * 1000;

/**
 * What opens a link: its random id under the Worker's secret, so that whoever has the secret can make it again when the
 * e-mail is sent, and database, queue and dead letters hold nothing that opens it.
 */
export function toToken(secret: string, linkId: string): string {
  return fingerprint(secret, 'email-link', linkId);
}

/** What the database finds a link by. */
export function digestToken(secret: string, token: string): string {
  return fingerprint(secret, 'email-link-digest', token);
}
