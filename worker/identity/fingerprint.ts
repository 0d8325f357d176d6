import { createHmac } from 'node:crypto';

/**
 * A keyed digest for a value that must be compared but not read back, such as a phone number or an address: their
 * space is small enough that a bare hash could be reversed.
 * @param purpose keeps digests of different uses apart.
 */
export function fingerprint(secret: string, purpose: string, value: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`${purpose}\0`).update(value).digest('base64url');
}
