import { emailKey } from '#worker/identity/email-key.ts';
import { fingerprint } from '#worker/identity/fingerprint.ts';

/** The value that unsubscribes a person without signing in. It cannot be made without our secret. */
export function toUnsubscribing(secret: string, { userId, email }: { userId: string; email: string }): string {
  return `${userId}.${fingerprint(secret, 'unsubscribe', `${userId}\0${emailKey(email)}`)}`;
}

/** @returns the person it claims to be for. To verify it, make it again with their address and compare. */
export function userOf(unsubscribing: string): string {
  return unsubscribing.split('.', 1)[0] ?? '';
}
