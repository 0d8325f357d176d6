import { sql } from 'drizzle-orm';
import type { PostInput, PostKind } from '#contract/posts.ts';
import { parseCode } from '#worker/communities/index.ts';
import { type Db, publishAs, type Query, readAs, type Statement } from '#worker/db/client.ts';
import { idRow, queryRows } from '#worker/db/rows.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, countEachIf, haveRoom, readCounts } from '#worker/limits/allowance.ts';
import { deleteStatements, type WithdrawNotices } from './delete-store.ts';
import {
  type Digests,
  identifierAssignments,
  keepsIdentifiers,
  mayTakeIdentifiers,
  readIdentifierStanding,
} from './identifier-store.ts';
import { kindAssignments } from './kind-store.ts';
import { type NumberReader, readWithNumbers } from './number-store.ts';
import {
  contactOf,
  FROM_POSTS,
  isMatchedAlike,
  keptAtOf,
  onBehalfOf,
  POST_COLUMNS,
  writtenAssignments,
} from './post-columns.ts';
import { communityForViewerRow, postRowForViewer } from './post-rules.ts';
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
    select c.id, c.approval_status, m.user_id is not null as is_member, coalesce(m.role = 'admin', 0) as is_admin
    from communities c left join memberships m on m.community_id = c.id and m.user_id = ${idOf(viewer)}
    where c.community_code = ${parsed} or c.access_code = ${parsed}`;
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

/** The post, the community it shall move to and whether an unproven author gives it its first identifiers, in one round trip. */
export async function readForUpdate(
  db: Db,
  viewer: Viewer,
  { postId, communityCode, digests }: { postId: string; communityCode: string | null; digests: Digests },
) {
  const [[row], [community], [standing]] = await readAs(db, viewer, [
    selectPost(db, viewer, postId),
    selectCommunity(db, viewer, communityCode),
    readIdentifierStanding(db, viewer, postId, digests),
  ]);
  return { row, community, isFirstOfUnproven: standing?.is_first === 1 && standing.is_proven === 0 };
}

export type PostUpdate = {
  id: string;
  /** Statement: puts the post before the admins again, if it is hidden. */
  reopen: Statement;
  /** Statements: tell of a post that rested whoever had not read of it then. */
  tellAgain: readonly Statement[];
  input: PostInput;
  /** Where the post said that the thing is, which a search finds on where the new text leaves it out. */
  keptBefore: string | null;
  /** What the new text says that the post is about. */
  readKind: PostKind;
  digests: Digests;
  communityId: string | null;
  allowances: Allowance[];
  now: number;
};

/**
 * Writes the new text, if the day's limits allow, nothing seals what would change and its author is in the community that
 * it moves to; a post that rested is open again, and one that is open and not hidden waits to be matched again.
 * @returns the post as it is now, whether what would change is sealed, whether it was written, and what is counted now.
 */
export async function updatePost(db: Db, viewer: Viewer, update: PostUpdate) {
  const { id, input, keptBefore, readKind, digests, communityId, allowances, reopen, tellAgain, now } = update;
  const searched = { ...input, kept_at: input.kept_at === undefined ? keptBefore : input.kept_at };
  const isFixed = sql`(${isSealed(input, communityId, now)} or not ${mayTakeIdentifiers(digests)})`;
  // Where it is it may stay. Elsewhere its author may have been let out since that was read.
  const isInside = sql`(${communityId} is null or community_id is ${communityId}
    or ${isMember(sql`${communityId}`, idOf(viewer))})`;
  const [[sealed], written, , , [row], counted] = await publishAs(db, viewer, [
    queryRows(db, idRow)`select id from posts where id = ${id} and author_id = ${viewer.userId} and ${isFixed}`,
    queryRows(db, idRow)`
      update posts set community_id = ${communityId}, ${writtenAssignments(input)}, ${kindAssignments(searched, readKind, communityId)},
        kept_at = ${keptAtOf(input)}, on_behalf = ${onBehalfOf(input)}, contact = ${contactOf(input)}, ${sealedAssignments(input)}, ${identifierAssignments(digests)},
        changed_at = iif(${isMatchedAlike(input, communityId)} and ${keepsIdentifiers(digests)}, changed_at, ${now}),
        away_since = iif(outcome is null, null, away_since), renewed_at = ${now}, times_asked = 0,
        match_pending_since = iif(is_found or hidden_by or outcome is not null, null, ${now})
      where id = ${id} and author_id = ${viewer.userId} and ${haveRoom(allowances, now)} and not ${isFixed} and ${isInside}
      returning id`,
    countEachIf(db, allowances, sql`changes() > 0`, now),
    reopen,
    selectPost(db, viewer, id),
    readCounts(db, allowances, now),
    ...tellAgain,
  ]);
  return { row, isSealed: sealed !== undefined, isWritten: written.length > 0, counted };
}

/** The statements that close the claims on a post; the last one answers the notices of it that are to be delivered. */
export type ClosedClaims = readonly [...Statement[], Query<{ id: string }>];

export function toldOf(closed: unknown[]): { id: string }[] {
  return closed.at(-1) as { id: string }[];
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
