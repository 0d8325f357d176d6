import type { PostInput } from '#contract/posts.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { assertRoom, rateSubject } from '#worker/limits/rate-limits.ts';
import { assertAuthor, assertVisible, chooseCommunity, type PostRow } from './post-rules.ts';
import { readForUpdate, updatePost } from './store.ts';

/**
 * Writes a post's new text.
 * @throws AppError post_not_found, forbidden, too_many_requests over the day's limit, or what `chooseCommunity` throws.
 */
export async function changePost(c: AppContext, viewer: Viewer, postId: string, input: PostInput): Promise<PostRow> {
  const { db, config } = c.var;
  const now = Date.now();
  const before = await readForUpdate(db, viewer, postId, input.community_code);
  const { id } = assertAuthor(before.row, viewer);
  const { row, isWritten, counted } = await updatePost(db, viewer, {
    id,
    input,
    communityId: chooseCommunity(input.community_code, before.community),
    rateSubject: rateSubject(config, 'post_update', viewer.userId),
    areRateLimitsOn: config.areRateLimitsOn,
    now,
  });
  const written = assertVisible(row, viewer);
  if (!isWritten) assertRoom(config, 'post_update', counted, now);
  return written;
}
