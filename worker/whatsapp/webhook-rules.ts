import { createHmac, timingSafeEqual } from 'node:crypto';

const SIGNATURE = /^sha256=([0-9a-f]{64})$/;

/** Whether Meta signed exactly these bytes; the same JSON serialised again would have another signature. */
export function isSignedByMeta(appSecret: string, body: Uint8Array, header: string | undefined): boolean {
  const signature = SIGNATURE.exec(header ?? '')?.[1];
  if (!signature) return false;
  return timingSafeEqual(createHmac('sha256', appSecret).update(body).digest(), Buffer.from(signature, 'hex'));
}
