import type { PostInput } from '#contract/posts.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { allowanceOf, assertRoom } from '#worker/limits/allowance.ts';
import type { PostRow } from './post-columns.ts';
import { assertAuthor, assertVisible, chooseCommunity } from './post-rules.ts';
import { readForUpdate, updatePost } from './store.ts';

/**
 * Writes a post's new text.
 * @throws AppError post_not_found, forbidden, too_many_requests over the day's limit, or what `chooseCommunity` throws.
 */
export async function changePost(c: AppContext, viewer: Viewer, postId: string, input: PostInput): Promise<PostRow> {
  const { db, config } = c.var;
  const now = Date.now();
  const allowance = allowanceOf(config, 'post_update', viewer.userId);
  const before = await readForUpdate(db, viewer, postId, input.community_code);
  const { id } = assertAuthor(before.row, viewer);
  const { row, isWritten, counted } = await updatePost(db, viewer, {
    id,
    input,
    communityId: chooseCommunity(input.community_code, before.community),
    allowance,
    now,
  });
  const written = assertVisible(row, viewer);
  if (!isWritten) assertRoom(allowance, counted, now);
  return written;
}
