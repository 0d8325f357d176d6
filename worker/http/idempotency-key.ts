import { IDEMPOTENCY_KEY_MAX_CHARS } from '#contract/limits.ts';
import type { IdempotencyKey } from '#worker/db/idempotency.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { fingerprint } from '#worker/identity/fingerprint.ts';
import type { AppContext } from './app-env.ts';

/** What the client calls this request, at this path; null when it gives it no name. */
export async function readIdempotencyKey(c: AppContext): Promise<IdempotencyKey | null> {
  const key = c.req.header('Idempotency-Key')?.trim();
  if (!key) return null;
  if (key.length > IDEMPOTENCY_KEY_MAX_CHARS) throw new AppError('malformed_request');
  // Of what was sent and not of what we read of it: another version of ours may read more. Under a key, as it may hold a
  // document's number beside words that are public.
  const body = new Uint8Array(await c.req.arrayBuffer());
  const bodyDigest = fingerprint(c.var.config.keys.identifier, 'idempotency', body);
  return { key: `${c.req.path} ${key}`, bodyDigest };
}
