import { sql } from 'drizzle-orm';
import { FOUND_UNDO_SECONDS } from '#contract/limits.ts';
import type { PostInput, PostKind } from '#contract/posts.ts';
import { parseCode } from '#worker/communities/index.ts';
import { type Db, publishAs, type Query, readAs, type Statement } from '#worker/db/client.ts';
import { idRow, queryRows } from '#worker/db/rows.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, countIf, hasRoom, readCount } from '#worker/limits/allowance.ts';
import { isHandedOver } from './claimed.ts';
import { deleteStatements, type WithdrawNotices } from './delete-store.ts';
import { kindAssignments } from './kind-store.ts';
import { type NumberReader, readWithNumbers } from './number-store.ts';
import { FROM_POSTS, isMatchedAlike, onBehalfOf, POST_COLUMNS, writtenAssignments } from './post-columns.ts';
import { communityForViewerRow, postRowForViewer } from './post-rules.ts';
import { returnStatements } from './return-store.ts';
import { isSealed, sealedAssignments } from './sealed-store.ts';
import { idOf, isMember, isOpenedBy } from './visibility.ts';

/** Statement: one post and whether the viewer may open it. */
export function selectPost(db: Db, viewer: Viewer | null, postId: string) {
  return queryRows(db, postRowForViewer)`
    select ${POST_COLUMNS}, ${isOpenedBy('p', idOf(viewer))} as is_opened
    ${FROM_POSTS} where p.id = ${postId}`;
}

/** Statement: the community that a public or an access code names. */
export function selectCommunity(db: Db, viewer: Viewer | null, code: string | null) {
  const parsed = parseCode(code ?? '');
  return queryRows(db, communityForViewerRow)`
    select c.id, c.approval_status, ${isMember(sql`c.id`, idOf(viewer))} as is_member
    from communities c where c.community_code = ${parsed} or c.access_code = ${parsed}`;
}

export async function findPost(db: Db, viewer: Viewer | null, postId: string) {
  const [[row]] = await readAs(db, viewer, [selectPost(db, viewer, postId)]);
  return row;
}

/** As `findPost`, for whoever opens the post: with whether they may have its number. */
export async function openPost(reader: NumberReader, postId: string) {
  const posts = sql`select seq, 0 as place from posts where id = ${postId}`;
  const { answers, numbers } = await readWithNumbers(reader, { posts, isOpening: true }, [
    selectPost(reader.db, reader.viewer, postId),
  ]);
  return { row: answers[0][0], numbers };
}

/** The post and the community it shall move to, in one round trip. */
export async function readForUpdate(db: Db, viewer: Viewer, postId: string, communityCode: string | null) {
  const [[row], [community]] = await readAs(db, viewer, [
    selectPost(db, viewer, postId),
    selectCommunity(db, viewer, communityCode),
  ]);
  return { row, community };
}

export type PostUpdate = {
  id: string;
  /** Statement: puts the post before the admins again, if it is hidden. */
  reopen: Statement;
  input: PostInput;
  /** What the new text says that the post is about. */
  readKind: PostKind;
  communityId: string | null;
  allowance: Allowance;
  now: number;
};

/**
 * Writes the new text, if the day's limit allows; a post that is open and not hidden waits to be matched again.
 * @returns the post as it is now, whether a claim seals what would change, whether it was written, and what is counted now.
 */
export async function updatePost(db: Db, viewer: Viewer, update: PostUpdate) {
  const { id, input, readKind, communityId, allowance, reopen, now } = update;
  const [[sealed], written, , , [row], [counted]] = await publishAs(db, viewer, [
    queryRows(db, idRow)`
      select id from posts where id = ${id} and author_id = ${viewer.userId} and ${isSealed(input, communityId, now)}`,
    queryRows(db, idRow)`
      update posts set community_id = ${communityId}, ${writtenAssignments(input)}, ${kindAssignments(input, readKind, communityId)},
        on_behalf = ${onBehalfOf(input)}, ${sealedAssignments(input)},
        changed_at = iif(${isMatchedAlike(input, communityId)}, changed_at, ${now}),
        match_pending_since = iif(is_found or hidden_by, null, ${now})
      where id = ${id} and author_id = ${viewer.userId}
        and ${hasRoom(allowance, now)} and not ${isSealed(input, communityId, now)}
      returning id`,
    countIf(db, allowance, sql`changes() > 0`, now),
    reopen,
    selectPost(db, viewer, id),
    readCount(db, allowance, now),
  ]);
  return { row, isSealed: sealed !== undefined, isWritten: written.length > 0, counted };
}

/** The statements of the notices that go with a post's end, in the same batch. */
export type WithdrawnNotices = Query<{ id: string }>;

/** The statements that close the claims on a post; the last one answers the notices of it that are to be delivered. */
export type ClosedClaims = readonly [...Statement[], Query<{ id: string }>];

function toldOf(closed: unknown[]): { id: string }[] {
  return closed.at(-1) as { id: string }[];
}

/**
 * Marks the post found, and takes it out of what new posts are matched with. Marked once more it stays marked as of
 * the first time.
 * @param end remembers who had not read of the post, withdraws it from them, and closes the claims on it.
 * @returns the post, and the ids of the notices that are to be withdrawn.
 */
export async function markPostFound(
  db: Db,
  viewer: Viewer,
  { id, now }: { id: string; now: number },
  { remember, withdraw, claims }: { remember: Statement; withdraw: WithdrawnNotices; claims: ClosedClaims },
) {
  const [, , , , withdrawn, [row], ...closed] = await publishAs(db.repeatable, viewer, [
    ...returnStatements(db, sql`${id}`, sql`author_id = ${viewer.userId}`, now),
    remember,
    withdraw,
    selectPost(db, viewer, id),
    ...claims,
  ]);
  return { row, noticeIds: [...withdrawn, ...toldOf(closed)].map((notice) => notice.id) };
}

/**
 * Opens the post again if it was marked as found a short while ago: it waits to be matched, and who had not read of it
 * is told again.
 * @param notices tells them.
 * @returns the post, which is still found when it is too late, or was handed over.
 */
export async function undoFound(
  db: Db,
  viewer: Viewer,
  { id, now }: { id: string; now: number },
  notices: readonly Statement[],
) {
  const [, [row]] = await publishAs(db, viewer, [
    db.run(sql`
      update posts set is_found = 0, found_at = null, match_pending_since = iif(hidden_by, null, ${now})
      where id = ${id} and author_id = ${viewer.userId} and is_found = 1
        and found_at >= ${now - FOUND_UNDO_SECONDS * 1000} and not ${isHandedOver(sql.raw('posts.id'))}`),
    selectPost(db, viewer, id),
    ...notices,
  ]);
  return row;
}

/**
 * Deletes the post with everything that hangs on it, but for its claims, which close, and its notices: they go once the
 * mailboxes have withdrawn them.
 * @returns the ids of those notices.
 */
export async function deletePost(
  db: Db,
  viewer: Viewer,
  id: string,
  { withdraw, claims }: { withdraw: WithdrawNotices; claims: ClosedClaims },
): Promise<string[]> {
  const own = sql`select id from posts where id = ${id} and author_id = ${viewer.userId}`;
  const [withdrawn, ...rest] = await publishAs(db.repeatable, viewer, [
    withdraw(db, sql`${id}`),
    ...deleteStatements(db, own),
    ...claims,
  ]);
  return [...withdrawn, ...toldOf(rest)].map((notice) => notice.id);
}
