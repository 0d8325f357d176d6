import { sql } from 'drizzle-orm';
import type { PostInput, PostKind } from '#contract/posts.ts';
import { mayPostInto, parseCode } from '#worker/communities/index.ts';
import { type Db, publishAs, type Query, readAs, type Statement } from '#worker/db/client.ts';
import { idRow, idsOf, queryRows } from '#worker/db/rows.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, countEachIf, haveRoom, readCounts } from '#worker/limits/allowance.ts';
import { deleteStatements, type EndCases, type WithdrawNotices } from './delete-store.ts';
import {
  type Digests,
  identifierValues,
  keepsIdentifiers,
  mayTakeIdentifiers,
  readIdentifierStanding,
} from './identifier-store.ts';
import { kindValues } from './kind-store.ts';
import { type NumberReader, readWithNumbers } from './number-store.ts';
import { assignments, FROM_POSTS, isMatchedAlike, POST_COLUMNS, writtenValues } from './post-columns.ts';
import { communityForViewerRow, postRowForViewer } from './post-rules.ts';
import { isSealed } from './sealed-store.ts';
import { HIDING_BITS, hidingIn, idOf, isOpenedBy } from './visibility.ts';

/** Statement: one post and whether the viewer may open it. */
export function selectPost(db: Db, viewer: Viewer | null, postId: string) {
  return queryRows(db, postRowForViewer)`
    select ${POST_COLUMNS}, ${isOpenedBy('p', idOf(viewer))} as is_opened
    ${FROM_POSTS} where p.id = ${postId}`;
}

/** Statement: the community with this public code or access code. */
export function selectCommunity(db: Db, viewer: Viewer | null, code: string | null) {
  const parsed = parseCode(code ?? '');
  return queryRows(db, communityForViewerRow)`
    select c.id, c.approval_status, m.user_id is not null as is_member, coalesce(m.role = 'admin', 0) as is_admin,
      c.suspended_at is not null as is_suspended
    from communities c left join memberships m on m.community_id = c.id and m.user_id = ${idOf(viewer)}
    where c.community_code = ${parsed} or c.access_code = ${parsed}`;
}

export async function findPost(db: Db, viewer: Viewer | null, postId: string) {
  const [[row]] = await readAs(db, viewer, [selectPost(db, viewer, postId)]);
  return row;
}

/** As `findPost`, when the post is opened: with whether the viewer may see its number. */
export async function openPost(reader: NumberReader, postId: string) {
  const posts = sql`select seq, 0 as place from posts where id = ${postId}`;
  const { answers, numbers } = await readWithNumbers(reader, { posts, isOpening: true }, [
    selectPost(reader.db, reader.viewer, postId),
  ]);
  return { row: answers[0][0], numbers };
}

/**
 * The post, the community it should move to, whether an unproven author adds its first identifiers, and the counts, in
 * one round trip.
 */
export async function readForUpdate(
  db: Db,
  viewer: Viewer,
  asked: { postId: string; communityCode: string | null; digests: Digests; allowances: Allowance[]; now: number },
) {
  const [[row], [community], [standing], counted] = await readAs(db, viewer, [
    selectPost(db, viewer, asked.postId),
    selectCommunity(db, viewer, asked.communityCode),
    readIdentifierStanding(db, viewer, asked.postId, asked.digests),
    readCounts(db, asked.allowances, asked.now),
  ]);
  return { row, community, isFirstOfUnproven: standing?.is_first === 1 && standing.is_proven === 0, counted };
}

type PostUpdate = {
  id: string;
  /** Statement: opens the post's case again, if it is hidden. */
  reopen: Statement;
  input: PostInput;
  /** The previous `kept_at`, which stays searchable if the new text leaves it out. */
  keptBefore: string | null;
  /** The kind derived from the new text. */
  readKind: PostKind;
  digests: Digests;
  communityId: string | null;
  allowances: Allowance[];
  now: number;
};

/**
 * Writes the new text, if the limits allow it, no change is sealed, and the author is in the community that it moves to. A
 * resting post is open again, and an open post that is not hidden is matched again.
 * @returns the post now, whether a change is sealed, whether it was written, and the counts.
 */
export async function updatePost(db: Db, viewer: Viewer, update: PostUpdate) {
  const { id, input, keptBefore, readKind, digests, communityId, allowances, reopen, now } = update;
  const searched = { ...input, kept_at: input.kept_at === undefined ? keptBefore : input.kept_at };
  const isMatchedAsBefore = sql`${isMatchedAlike(input, communityId)} and ${keepsIdentifiers(digests)}`;
  // The suspension of a community hides its posts, and only those.
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
  // It may stay in its community. Membership of another one is checked again, as it may have ended since it was read.
  const isInside = sql`(community_id is ${communityId} or hidden_by & ${HIDING_BITS.community_suspension} = 0
    and (${communityId} is null or ${mayPostInto(sql`${communityId}`, idOf(viewer))}))`;
  const [[sealed], written, , , [row], counted] = await publishAs(db, viewer, [
    queryRows(db, idRow)`select id from posts where id = ${id} and author_id = ${viewer.userId} and ${isFixed}`,
    queryRows(db, idRow)`
      update posts set ${changes}
      where id = ${id} and author_id = ${viewer.userId} and ${haveRoom(allowances, now)} and not ${isFixed} and ${isInside}
      returning id`,
    countEachIf(db, allowances, sql`changes() > 0`, now),
    reopen,
    selectPost(db, viewer, id),
    readCounts(db, allowances, now),
  ]);
  return { row, isSealed: sealed !== undefined, isWritten: written.length > 0, counted };
}

/** The statements that close the claims on a post. The last one returns the ids of the notices to deliver. */
export type ClosedClaims = readonly [...Statement[], Query<{ id: string }>];

export function toldOf(closed: unknown[]): { id: string }[] {
  return closed.at(-1) as { id: string }[];
}

/**
 * Deletes the post with everything that depends on it, except its claims, which are closed, and its notices, which are
 * deleted once the mailboxes have retracted them.
 * @returns the ids of the notices to deliver or withdraw.
 */
export async function deletePost(
  db: Db,
  viewer: Viewer,
  id: string,
  {
    withdraw,
    endCases,
    claims,
    now,
  }: { withdraw: WithdrawNotices; endCases: EndCases; claims: ClosedClaims; now: number },
): Promise<string[]> {
  const own = sql`select id from posts where id = ${id} and author_id = ${viewer.userId}`;
  const [withdrawn, ...rest] = await publishAs(db.repeatable, viewer, [
    withdraw(db, sql`${id}`),
    ...endCases(db, own, now),
    ...deleteStatements(db, own),
    ...claims,
  ]);
  return idsOf([...withdrawn, ...toldOf(rest)]);
}
