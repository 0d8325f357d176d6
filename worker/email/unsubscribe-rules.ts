import { emailKey } from '#worker/identity/email-key.ts';
import { fingerprint } from '#worker/identity/fingerprint.ts';

/** What switches a person's e-mails off, by nothing but having it: nobody makes it without our secret. */
export function toUnsubscribing(secret: string, { userId, email }: { userId: string; email: string }): string {
  return `${userId}.${fingerprint(secret, 'unsubscribe', `${userId}\0${emailKey(email)}`)}`;
}

/** @returns whose it says it is; whether that is so is seen by making it anew with their address. */
export function userOf(unsubscribing: string): string {
  return unsubscribing.split('.', 1)[0] ?? '';
}
