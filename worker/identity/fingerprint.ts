import { createHmac } from 'node:crypto';

/**
 * A keyed digest for values that are compared but never read back, such as phone numbers and addresses. There are so
 * few possible values that a plain hash could be reversed.
 * @param purpose separates digests for different uses.
 */
export function fingerprint(secret: string, purpose: string, value: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`${purpose}\0`).update(value).digest('base64url');
}
