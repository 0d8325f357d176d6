import type { PostInput, PostKind } from '#contract/posts.ts';
import type { Statement } from '#worker/db/client.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { forgetPosts } from '#worker/http/edge-cache.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { allowanceOf, assertRooms } from '#worker/limits/allowance.ts';
import { digestIdentifiers } from './identifiers.ts';
import type { PostRow } from './post-columns.ts';
import { assertAuthor, assertVisible, chooseCommunity } from './post-rules.ts';
import { readForUpdate, updatePost } from './store.ts';
import { isHiddenWithCommunity } from './visibility.ts';

/**
 * Writes a post's new text.
 * @param deriveKind reads the kind in the new text, which takes time: only once the limits allow the change.
 * @param reopen opens the post's case again, if it is hidden.
 * @throws AppError post_not_found, forbidden, community_suspended, sealed, too_many_requests, or what `chooseCommunity` throws, also when the
 * author loses their membership at the same moment.
 */
export async function changePost(
  c: AppContext,
  viewer: Viewer,
  {
    postId,
    input,
    deriveKind,
    reopen,
    now,
  }: {
    postId: string;
    input: PostInput;
    deriveKind: (input: PostInput) => PostKind;
    reopen: Statement;
    now: number;
  },
): Promise<PostRow> {
  const { db, config } = c.var;
  const digests = digestIdentifiers(config, input);
  const ofDay = allowanceOf(config, 'post_update', viewer.userId);
  const allowedUnproven = allowanceOf(config, 'post_with_identifiers', viewer.userId);
  const before = await readForUpdate(db, viewer, {
    postId,
    communityCode: input.community_code,
    digests,
    allowances: [ofDay, allowedUnproven],
    now,
  });
  const { id, community_id, hidden_by: hiddenBy, kept_at: keptBefore } = assertAuthor(before.row, viewer);
  // A post may stay in its community even if its author has left.
  const isKept = before.community !== undefined && before.community.id === community_id;
  const communityId = isKept ? community_id : chooseCommunity(input.community_code, before.community);
  // Otherwise its author would publish what the suspension hides.
  if (communityId !== community_id && isHiddenWithCommunity(hiddenBy)) throw new AppError('community_suspended');
  const allowances = [ofDay, ...(before.isFirstOfUnproven ? [allowedUnproven] : [])];
  assertRooms(allowances, before.counted, now);
  const readKind = deriveKind(input);
  const update = { id, keptBefore, input, readKind, digests, communityId, allowances, reopen, now };
  const { row, isSealed, isWritten, counted } = await updatePost(db, viewer, update);
  const changed = assertVisible(row, viewer);
  if (isSealed) throw new AppError('sealed');
  if (!isWritten) {
    // Since the first round trip the author has reached a limit, or lost their membership.
    assertRooms(allowances, counted, now);
    throw new AppError('not_a_member');
  }
  if (community_id === null && communityId !== null) forgetPosts(c, [id]);
  return changed;
}
