import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Returns a keyed digest of a value that is compared but never read back, such as a phone number or an IP address.
 * There are so few possible values that a plain hash could be reversed.
 * @param purpose separates digests for different uses.
 */
export function fingerprint(secret: string, purpose: string, value: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`${purpose}\0`).update(value).digest('base64url');
}

/** Compares two texts in constant time, even if their lengths differ. */
export function isSameText(left: string, right: string): boolean {
  return timingSafeEqual(createHash('sha256').update(left).digest(), createHash('sha256').update(right).digest());
}

/** The form in which e-mail addresses are compared, so that capitalisation does not matter. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}

/** A random id: 122 bits, opaque, impossible to enumerate. */
export function newId(): string {
  return crypto.randomUUID();
}
