import { ApiError } from './api-client.ts';

/** The key has made what is gone since: a try under a new key makes it. */
export function isKeySpent(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'idempotency_conflict';
}

/** An earlier try under the key, of another text, has made a post without its writer seeing it. */
export function hasComeThrough(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'idempotency_mismatch';
}
