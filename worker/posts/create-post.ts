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
 * Creates a post, or returns the earlier one created with the same `Idempotency-Key`.
 * @param deriveKind reads the kind in the text, which takes time: only once the limits allow the post.
 * @returns the post, and whether it is new.
 * @throws AppError idempotency_mismatch when the key was used with another body; idempotency_conflict when the key's post
 * has been deleted; validation_failed when it answers anything but somebody else's open lost post; too_many_requests; what
 * `chooseCommunity` throws.
 */
export async function createPost(
  c: AppContext,
  viewer: Viewer,
  input: NewPostInput,
  deriveKind: (input: NewPostInput) => PostKind,
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
  // An office's admins post everything that was handed in.
  const isAtDesk = communityId !== null && before.community?.is_admin === 1;
  const ofPlace = isAtDesk ? allowanceOf(config, 'desk_post', `${viewer.userId} ${communityId}`) : ofDay;
  const allowances = [ofPlace, ...answering, ...(before.isProven ? [] : allowedUnproven)];
  assertRooms(allowances, before.counted, now);
  const post = { input, readKind: deriveKind(input), digests, communityId, idempotencyKey, allowances, now };
  const written = await insertPost(db, viewer, post);
  if (written.row) return { row: assertRepeated(written.row, idempotencyKey), isNew: written.isNew };
  // Since the first round trip the author has reached a limit, or lost their membership.
  assertRooms(allowances, written.counted, now);
  throw new AppError(communityId === null ? 'idempotency_conflict' : 'not_a_member');
}

/** The post that the key has created. @throws AppError for another body, or if the post has been deleted. */
function assertRepeated(row: KeyRow, idempotencyKey: IdempotencyKey | null): PostRow {
  assertSameBody(row, idempotencyKey);
  if (row.id === null) throw new AppError('idempotency_conflict');
  return row;
}
