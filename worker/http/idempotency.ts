import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { HOUR_MS } from '#contract/durations.ts';
import { IDEMPOTENCY_KEY_LIFETIME_HOURS, IDEMPOTENCY_KEY_MAX_CHARS } from '#contract/limits.ts';
import type { Db } from '#worker/db/client.ts';
import { deleteSome, queryFirst, type RowOf } from '#worker/db/statements.ts';
import { idempotencyKeys } from '#worker/db/tables/operating.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { fingerprint } from '#worker/identity/digests.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import type { AppContext } from './context.ts';

/**
 * Returns the request's `Idempotency-Key` joined with the request's path, and a digest of the request's body. Returns
 * null if the request has no key.
 */
export async function readIdempotencyKey(c: AppContext): Promise<IdempotencyKey | null> {
  const key = c.req.header('Idempotency-Key')?.trim();
  if (!key) return null;
  if (key.length > IDEMPOTENCY_KEY_MAX_CHARS) throw new AppError('malformed_request');
  // Digests the raw body, because another version of the Worker may parse it differently. The digest is keyed:
  // without a key, a document's number in the body could be guessed from the digest if the rest of the body is public.
  const body = new Uint8Array(await c.req.arrayBuffer());
  const bodyDigest = fingerprint(c.var.config.keys.identifier, 'idempotency', body);
  return { key: `${c.req.path} ${key}`, bodyDigest };
}

export type IdempotencyKey = { key: string; bodyDigest: string };

/**
 * Statement: reserves the key unless an earlier request has done so, and stores the id of what this request creates.
 */
export function reserveKey(db: Db, viewer: Viewer, key: IdempotencyKey | null, madeId: string, now: number) {
  if (key === null) return db.run(sql`select 1`);
  return db.run(sql`
    insert into idempotency_keys (user_id, key, post_id, body_digest, created_at)
    values (${viewer.userId}, ${key.key}, ${madeId}, ${key.bodyDigest}, ${now})
    on conflict (user_id, key) do update set
      post_id = excluded.post_id, body_digest = excluded.body_digest, created_at = excluded.created_at
    where idempotency_keys.created_at < ${oldestKey(now)}`);
}

/** Condition for statements after `reserveKey`: this request has reserved its key, or has no key. */
export function hasReservedKey(viewer: Viewer, key: IdempotencyKey | null, madeId: string): SQL {
  if (key === null) return sql`true`;
  return sql`(
    select k.post_id from idempotency_keys k where k.user_id = ${viewer.userId} and k.key = ${key.key}) = ${madeId}`;
}

/** Statement: releases the key if nothing was created. @param isMade condition: something was created. */
export function releaseKey(db: Db, viewer: Viewer, key: IdempotencyKey | null, madeId: string, isMade: SQL) {
  return db.run(sql`
    delete from idempotency_keys
    where user_id = ${viewer.userId} and key = ${key?.key ?? null} and post_id = ${madeId} and not ${isMade}`);
}

/** Condition on a row `k` of idempotency_keys: it has this key and has not expired. */
export function isKey(viewer: Viewer, key: IdempotencyKey | null, now: number): SQL {
  return sql`k.user_id = ${viewer.userId} and k.key = ${key?.key ?? null} and k.created_at >= ${oldestKey(now)}`;
}

const madeRow = () => z.object({ id: z.string(), body_digest: z.string() });

/** Statement: returns what an earlier request with the same key has created, unless the key has expired. */
export function selectMade(db: Db, viewer: Viewer, key: IdempotencyKey | null, now: number) {
  return queryFirst(db, madeRow)`
    select k.post_id as id, k.body_digest from idempotency_keys k where ${isKey(viewer, key, now)}`;
}

/**
 * @param made the result of `selectMade`.
 * @returns the id of what an earlier request with the key has created; null if there is none.
 * @throws AppError idempotency_mismatch if the key was used with another body before.
 */
export function idMadeBefore(made: RowOf<typeof madeRow> | undefined, key: IdempotencyKey | null): string | null {
  if (!made) return null;
  assertSameBody(made, key);
  return made.id;
}

/**
 * @param made the earlier request's row; `body_digest` is null if that request had no key.
 * @throws AppError idempotency_mismatch when the key was used with another body before.
 */
export function assertSameBody({ body_digest }: { body_digest: string | null }, key: IdempotencyKey | null): void {
  if (body_digest !== (key?.bodyDigest ?? null)) throw new AppError('idempotency_mismatch');
}

export function clearExpiredKeys(db: Db, now: number) {
  return deleteSome(db, idempotencyKeys, sql`created_at < ${oldestKey(now)}`);
}

function oldestKey(now: number): number {
  return now - IDEMPOTENCY_KEY_LIFETIME_HOURS * HOUR_MS;
}
