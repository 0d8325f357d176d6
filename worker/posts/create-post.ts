import { IDEMPOTENCY_KEY_MAX_CHARS } from '#contract/limits.ts';
import type { PostInput } from '#contract/posts.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { assertWithinLimit, type Counter, rateSubject } from '#worker/limits/rate-limits.ts';
import { insertPost, readForInsert } from './insert-store.ts';
import { chooseCommunity, type PostRow } from './post-rules.ts';

/**
 * Makes a post, or answers with the one that the same `Idempotency-Key` made before.
 * @returns the post, and whether it is new.
 * @throws AppError idempotency_conflict when the key's post has been deleted; too_many_requests over the day's limit;
 * what `chooseCommunity` throws.
 */
export async function createPost(
  c: AppContext,
  viewer: Viewer,
  input: PostInput,
): Promise<{ row: PostRow; isNew: boolean }> {
  const { db, config } = c.var;
  const now = Date.now();
  const subject = rateSubject(config, 'post', viewer.userId);
  const idempotencyKey = readIdempotencyKey(c);
  const { community, counted, earlier } = await readForInsert(db, viewer, {
    communityCode: input.community_code,
    idempotencyKey,
    rateSubject: subject,
    now,
  });
  if (earlier?.id === null) throw new AppError('idempotency_conflict');
  if (earlier) return { row: earlier, isNew: false };
  const communityId = chooseCommunity(input.community_code, community);
  assertWithinLimit(config, 'post', oneMore(counted), now);
  const { areRateLimitsOn } = config;
  const written = await insertPost(db, viewer, {
    input,
    communityId,
    idempotencyKey,
    rateSubject: subject,
    areRateLimitsOn,
    now,
  });
  if (written.row) return { row: written.row, isNew: written.isNew };
  // Others of the same person's came between the two trips: a limit reached, else a key whose post is gone.
  assertWithinLimit(config, 'post', oneMore(written.counted), now);
  throw new AppError('idempotency_conflict');
}

function oneMore(counted: Counter | undefined): Counter | undefined {
  return counted && { ...counted, count: counted.count + 1 };
}

function readIdempotencyKey(c: AppContext): string | null {
  const key = c.req.header('Idempotency-Key')?.trim();
  if (!key) return null;
  if (key.length > IDEMPOTENCY_KEY_MAX_CHARS) throw new AppError('malformed_request');
  return key;
}
