import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time, including texts of different length. */
export function isSameText(left: string, right: string): boolean {
  return timingSafeEqual(createHash('sha256').update(left).digest(), createHash('sha256').update(right).digest());
}
