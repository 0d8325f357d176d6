import type { PostInput, PostKind } from '#contract/posts.ts';
import type { Statement } from '#worker/db/client.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { allowanceOf, assertRoom } from '#worker/limits/allowance.ts';
import type { PostRow } from './post-columns.ts';
import { assertAuthor, assertVisible, chooseCommunity } from './post-rules.ts';
import { readForUpdate, updatePost } from './store.ts';

/**
 * Writes a post's new text.
 * @param written the new text, and what it says that the post is about.
 * @param reopen puts the post before the admins again, if it is hidden.
 * @throws AppError post_not_found, forbidden, sealed, too_many_requests over the day's limit, or what `chooseCommunity` throws.
 */
export async function changePost(
  c: AppContext,
  viewer: Viewer,
  {
    postId,
    written,
    reopen,
    now,
  }: {
    postId: string;
    written: { input: PostInput; readKind: PostKind };
    reopen: Statement;
    now: number;
  },
): Promise<PostRow> {
  const { db, config } = c.var;
  const allowance = allowanceOf(config, 'post_update', viewer.userId);
  const before = await readForUpdate(db, viewer, postId, written.input.community_code);
  const { id } = assertAuthor(before.row, viewer);
  const { row, isSealed, isWritten, counted } = await updatePost(db, viewer, {
    id,
    ...written,
    communityId: chooseCommunity(written.input.community_code, before.community),
    allowance,
    reopen,
    now,
  });
  const changed = assertVisible(row, viewer);
  if (isSealed) throw new AppError('sealed');
  if (!isWritten) assertRoom(allowance, counted, now);
  return changed;
}
