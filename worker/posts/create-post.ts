import type { NewPostInput, PostKind } from '#contract/posts.ts';
import { assertSameBody, type IdempotencyKey } from '#worker/db/idempotency.ts';
import { AppError, invalidField } from '#worker/errors/app-error.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { readIdempotencyKey } from '#worker/http/idempotency-key.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { allowanceOf, assertRooms } from '#worker/limits/allowance.ts';
import { digestIdentifiers } from './identifiers.ts';
import { insertPost, type KeyRow, readForInsert } from './insert-store.ts';
import type { PostRow } from './post-columns.ts';
import { chooseCommunity } from './post-rules.ts';

/**
 * Makes a post, or answers with the one that the same `Idempotency-Key` made before.
 * @param readKind what its text says that it is about.
 * @returns the post, and whether it is new.
 * @throws AppError idempotency_mismatch when the key came with another body before; idempotency_conflict when the key's
 * post has been deleted; validation_failed when it answers what is no open lost post of somebody else; too_many_requests
 * over a day's limit; what `chooseCommunity` throws.
 */
export async function createPost(
  c: AppContext,
  viewer: Viewer,
  input: NewPostInput,
  readKind: PostKind,
): Promise<{ row: PostRow; isNew: boolean }> {
  const { db, config } = c.var;
  const now = Date.now();
  const digests = digestIdentifiers(config, input);
  const answersPostId = input.answers_post_id ?? null;
  const ofDay = allowanceOf(config, 'post', viewer.userId);
  const answering = answersPostId === null ? [] : [allowanceOf(config, 'answering_post', viewer.userId)];
  const allowedUnproven = digests ? [allowanceOf(config, 'post_with_identifiers', viewer.userId)] : [];
  const idempotencyKey = await readIdempotencyKey(c);
  const before = await readForInsert(db, viewer, {
    communityCode: input.community_code,
    answersPostId,
    idempotencyKey,
    allowances: [ofDay, ...answering, ...allowedUnproven],
    now,
  });
  if (before.earlier) return { row: assertRepeated(before.earlier, idempotencyKey), isNew: false };
  const communityId = chooseCommunity(input.community_code, before.community);
  if (answersPostId !== null && !(before.isAnswerable && input.posted_by === 'finder'))
    throw invalidField('answers_post_id', 'answered_post_invalid');
  // An office's admins post what lies in its cupboard.
  const isAtDesk = communityId !== null && before.community?.is_admin === 1;
  const ofPlace = isAtDesk ? allowanceOf(config, 'desk_post', `${viewer.userId} ${communityId}`) : ofDay;
  const allowances = [ofPlace, ...answering, ...(before.isProven ? [] : allowedUnproven)];
  assertRooms(allowances, before.counted, now);
  const post = { input, readKind, digests, communityId, idempotencyKey, allowances, now };
  const written = await insertPost(db, viewer, post);
  if (written.row) return { row: assertRepeated(written.row, idempotencyKey), isNew: written.isNew };
  // Between the two trips others of the same person's reached a limit, or they are out of the community.
  assertRooms(allowances, written.counted, now);
  throw new AppError(communityId === null ? 'idempotency_conflict' : 'not_a_member');
}

/** Passes what the key has made, if it was asked for by the same body. */
function assertRepeated(row: KeyRow, idempotencyKey: IdempotencyKey | null): PostRow {
  assertSameBody(row, idempotencyKey);
  if (row.id === null) throw new AppError('idempotency_conflict');
  return row;
}
