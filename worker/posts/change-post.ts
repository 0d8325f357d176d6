import { type SQL, sql } from 'drizzle-orm';
import type { PostKind } from '#contract/kinds.ts';
import type { PostInput } from '#contract/posts.ts';
import { hasOpenClaim } from '#worker/conditions/claims.ts';
import { mayPostInto } from '#worker/conditions/communities.ts';
import { idOf } from '#worker/conditions/people.ts';
import { HIDING_BITS, hidingIn, isHiddenWithCommunity } from '#worker/conditions/posts.ts';
import { type Db, publishAs, readAs } from '#worker/db/client.ts';
import { idRow, queryFirst, queryRows } from '#worker/db/statements.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { type AppContext, continueAfterAnswer } from '#worker/http/context.ts';
import { forgetPosts } from '#worker/http/edge-cache.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import {
  type Allowance,
  allowanceOf,
  assertRooms,
  countEachIf,
  haveRoom,
  readCounts,
} from '#worker/limits/allowance.ts';
import { deriveKind, matchPost } from '#worker/matching/match-post.ts';
import { notifyAdmins, reopenEdited } from '#worker/moderation/cases.ts';
import { assertAuthor, assertVisible, chooseCommunity, selectCommunity, selectPost } from './find-post.ts';
import {
  type Digests,
  digestIdentifiers,
  identifierValues,
  keepsIdentifiers,
  mayTakeIdentifiers,
  readIdentifierStanding,
} from './identifiers.ts';
import { assignments, isMatchedAlike, type PostRow, writtenValues } from './post-columns.ts';
import { kindValues } from './search-texts.ts';

/**
 * Writes a post's new text. After the response, a visible post is matched again. For a hidden post, platform admins are
 * notified that its case is open again.
 * @throws AppError post_not_found, forbidden, community_suspended, sealed, too_many_requests, or an error of
 * `chooseCommunity`; also not_a_member if the author loses their membership during the request.
 */
export async function changePost(c: AppContext, viewer: Viewer, postId: string, input: PostInput): Promise<PostRow> {
  const { db, config } = c.var;
  const now = Date.now();
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
  // A post may stay in its community even if its author has left the community.
  const isKept = before.community !== undefined && before.community.id === community_id;
  const communityId = isKept ? community_id : chooseCommunity(input.community_code, before.community);
  // Without this check, an author could move a post that the community's suspension hides, and so make it visible.
  if (communityId !== community_id && isHiddenWithCommunity(hiddenBy)) throw new AppError('community_suspended');
  const allowances = [ofDay, ...(before.isFirstOfUnproven ? [allowedUnproven] : [])];
  assertRooms(allowances, before.counted, now);
  // Reads the kind after the limits are checked, because reading the kind from the text takes time.
  const readKind = deriveKind(input);
  const update = { id, keptBefore, input, readKind, digests, communityId, allowances, now };
  const { row, isSealed, isWritten, counted } = await updatePost(db, viewer, update);
  const changed = assertVisible(row, viewer);
  if (isSealed) throw new AppError('sealed');
  if (!isWritten) {
    // Nothing was written: after the first read, the author has reached a limit or has lost their membership.
    assertRooms(allowances, counted, now);
    throw new AppError('not_a_member');
  }
  if (community_id === null && communityId !== null) forgetPosts(c, [id]);
  continueAfterAnswer(c, changed.hidden_by === 0 ? matchPost(c.env, db, id) : notifyAdmins(c.env, db, now));
  return changed;
}

/**
 * Reads in one round trip: the post, the community to which it should move, the counts for the limits, and whether an
 * author without a proven phone number adds the post's first identifiers.
 */
async function readForUpdate(
  db: Db,
  viewer: Viewer,
  asked: { postId: string; communityCode: string | null; digests: Digests; allowances: Allowance[]; now: number },
) {
  const { row, community, standing, counted } = await readAs(db, viewer, {
    row: selectPost(db, viewer, asked.postId),
    community: selectCommunity(db, viewer, asked.communityCode),
    standing: readIdentifierStanding(db, viewer, asked.postId, asked.digests),
    counted: readCounts(db, asked.allowances, asked.now),
  });
  return { row, community, isFirstOfUnproven: standing?.is_first === 1 && standing.is_proven === 0, counted };
}

type PostUpdate = {
  id: string;
  input: PostInput;
  /** The stored text about where the thing is now. It stays in the search texts if the request omits `kept_at`. */
  keptBefore: string | null;
  /** The kind that the Worker has read from the new text. */
  readKind: PostKind;
  digests: Digests;
  communityId: string | null;
  allowances: Allowance[];
  now: number;
};

/**
 * Writes the new text. Refuses the update if a limit is reached, if an open claim has sealed one of the changed fields,
 * if the identifiers change too often, or if the author may not post into the new community. A resting post becomes
 * open. An open post that is not hidden is matched again.
 * @returns the current post, whether a sealed field caused a refusal, whether the text was written, and the author's
 * counts for the limits.
 */
async function updatePost(db: Db, viewer: Viewer, update: PostUpdate) {
  const { id, input, keptBefore, readKind, digests, communityId, allowances, now } = update;
  const searched = { ...input, kept_at: input.kept_at === undefined ? keptBefore : input.kept_at };
  const isMatchedAsBefore = sql`${isMatchedAlike(input, communityId)} and ${keepsIdentifiers(digests)}`;
  // Computes again whether a community's suspension hides the post, because the post may move to another community.
  const hiddenBy = sql`((hidden_by & ~${HIDING_BITS.community_suspension}) | ${hidingIn(communityId)})`;
  const changes = assignments({
    community_id: communityId,
    ...writtenValues(input),
    ...kindValues(searched, readKind, communityId),
    ...identifierValues(digests),
    changed_at: sql`iif(${isMatchedAsBefore}, changed_at, ${now})`,
    away_since: sql`iif(outcome is null, null, away_since)`,
    renewed_at: now,
    times_asked: 0,
    hidden_by: hiddenBy,
    match_pending_since: sql`iif(is_found or ${hiddenBy} or outcome is not null, null, ${now})`,
    match_failures: 0,
  });
  const isFixed = sql`(${isSealed(input, communityId, now)} or not ${mayTakeIdentifiers(digests)})`;
  // A post may stay in a community that its author has left. For a new community, membership is checked a second time,
  // because the author may have lost it after the first read.
  const isInside = sql`(community_id is ${communityId} or hidden_by & ${HIDING_BITS.community_suspension} = 0
    and (${communityId} is null or ${mayPostInto(sql`${communityId}`, idOf(viewer))}))`;
  const { sealed, written, row, counted } = await publishAs(db, viewer, {
    sealed: queryFirst(db, idRow)`
      select id from posts where id = ${id} and author_id = ${viewer.userId} and ${isFixed}`,
    written: queryRows(db, idRow)`
      update posts set ${changes}
      where id = ${id} and author_id = ${viewer.userId} and ${haveRoom(allowances, now)} and not ${isFixed} and ${isInside}
      returning id`,
    count: countEachIf(db, allowances, sql`changes() > 0`, now),
    reopened: reopenEdited(db, { postId: id, authorId: viewer.userId, now }),
    row: selectPost(db, viewer, id),
    counted: readCounts(db, allowances, now),
  });
  return { row, isSealed: sealed !== undefined, isWritten: written.length > 0, counted };
}

/**
 * Fields with which the finder compares a claimant's answer. They are sealed while a claim is open: the author cannot
 * change them.
 */
const SEALED = ['claim_question', 'private_marks'] as const;

/** Condition on a row of posts: a claim is open, and the update would change a sealed field. */
function isSealed(input: PostInput, communityId: string | null, now: number): SQL {
  const isChanged = [
    ...SEALED.filter((column) => input[column] !== undefined).map(
      (column) => sql`${sql.raw(column)} is not ${input[column]}`,
    ),
    sql`posted_by = 'finder' and ${input.posted_by} = 'owner'`,
    sql`community_id is not ${communityId}`,
  ];
  return sql`((${sql.join(isChanged, sql` or `)}) and ${hasOpenClaim(sql.raw('posts.id'), now)})`;
}
