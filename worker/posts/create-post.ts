import type { PostInput, PostKind } from '#contract/posts.ts';
import { assertSameBody, type IdempotencyKey } from '#worker/db/idempotency.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { readIdempotencyKey } from '#worker/http/idempotency-key.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { allowanceOf, assertRoom } from '#worker/limits/allowance.ts';
import { insertPost, type KeyRow, readForInsert } from './insert-store.ts';
import type { PostRow } from './post-columns.ts';
import { chooseCommunity } from './post-rules.ts';

/**
 * Makes a post, or answers with the one that the same `Idempotency-Key` made before.
 * @param readKind what its text says that it is about.
 * @returns the post, and whether it is new.
 * @throws AppError idempotency_mismatch when the key came with another body before; idempotency_conflict when the key's
 * post has been deleted; too_many_requests over the day's limit; what `chooseCommunity` throws.
 */
export async function createPost(
  c: AppContext,
  viewer: Viewer,
  input: PostInput,
  readKind: PostKind,
): Promise<{ row: PostRow; isNew: boolean }> {
  const { db, config } = c.var;
  const now = Date.now();
  const allowance = allowanceOf(config, 'post', viewer.userId);
  const idempotencyKey = await readIdempotencyKey(c);
  const { community, counted, earlier } = await readForInsert(db, viewer, {
    communityCode: input.community_code,
    idempotencyKey,
    allowance,
    now,
  });
  if (earlier) return { row: assertRepeated(earlier, idempotencyKey), isNew: false };
  const communityId = chooseCommunity(input.community_code, community);
  assertRoom(allowance, counted, now);
  const written = await insertPost(db, viewer, {
    input,
    readKind,
    communityId,
    idempotencyKey,
    allowance,
    now,
  });
  if (written.row) return { row: assertRepeated(written.row, idempotencyKey), isNew: written.isNew };
  // Others of the same person's came between the two trips and reached the limit.
  assertRoom(allowance, written.counted, now);
  throw new AppError('idempotency_conflict');
}

/** Passes what the key has made, if it was asked for by the same body. */
function assertRepeated(row: KeyRow, idempotencyKey: IdempotencyKey | null): PostRow {
  assertSameBody(row, idempotencyKey);
  if (row.id === null) throw new AppError('idempotency_conflict');
  return row;
}
