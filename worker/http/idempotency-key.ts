import { IDEMPOTENCY_KEY_MAX_CHARS } from '#contract/limits.ts';
import type { IdempotencyKey } from '#worker/db/idempotency.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { fingerprint } from '#worker/identity/fingerprint.ts';
import type { AppContext } from './app-env.ts';

/** The `Idempotency-Key` of this request, for its path; null without one. */
export async function readIdempotencyKey(c: AppContext): Promise<IdempotencyKey | null> {
  const key = c.req.header('Idempotency-Key')?.trim();
  if (!key) return null;
  if (key.length > IDEMPOTENCY_KEY_MAX_CHARS) throw new AppError('malformed_request');
  // A digest of the raw body, because another version of the Worker may parse it differently. It is keyed, because a body
  // may contain a document's number next to text that is public.
  const body = new Uint8Array(await c.req.arrayBuffer());
  const bodyDigest = fingerprint(c.var.config.keys.identifier, 'idempotency', body);
  return { key: `${c.req.path} ${key}`, bodyDigest };
}
