import { eq, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { CLAIM_ROLES, type ClaimRole } from '#contract/claims.ts';
import { claimRow, presentTitle, redactClaim } from '#worker/claims/present-claim.ts';
import { areNotApart } from '#worker/conditions/people.ts';
import type { Db } from '#worker/db/client.ts';
import { flag, queryRows, type RowOf } from '#worker/db/statements.ts';
import { communities, communityRejections, communityRemovals, joinRequests } from '#worker/db/tables/communities.ts';
import { blocks, claimReports, moderationLog, postReports } from '#worker/db/tables/moderation.ts';
import { photos } from '#worker/db/tables/posts.ts';
import { fileNameOf } from '#worker/photos/present-photos.ts';
import { columnsOf, FROM_POSTS, shapeOf, WRITTEN } from '#worker/posts/post-columns.ts';

/** The columns of a post in its author's export. They include all that the author wrote, and how the post ended. */
const EXPORTED = [
  'id',
  ...WRITTEN,
  'kind',
  'has_identifiers',
  'is_found',
  'outcome',
  'created_at',
  'community_name',
] as const;

const exportedPostRow = () => z.object({ ...shapeOf(EXPORTED), is_away: flag() });

export function exportPosts(db: Db, userId: string) {
  return queryRows(db, exportedPostRow)`
    select ${columnsOf(EXPORTED)}, p.away_since is not null as is_away
    ${FROM_POSTS} where p.author_id = ${userId} order by p.seq`;
}

const givenRow = () => z.object({ until: z.string(), post_id: z.string() });

/** Lists the posts whose phone number the person has seen. `until` is the end of the day on which this happened. */
export function exportGivenNumbers(db: Db, userId: string) {
  return queryRows(db, givenRow)`
    select strftime('%FT%TZ', g.day_ends_at / 1000, 'unixepoch') as until, p.id as post_id
    from given_numbers g cross join json_each('[' || trim(g.post_seqs, ',') || ']') j cross join posts p on p.seq = j.value
    where g.reader_id = ${userId} order by g.day_ends_at, p.seq`;
}

export async function exportPhotos(db: Db, userId: string) {
  const { id, postId, position, alt, width, height, createdAt, documentSince } = photos;
  const columns = { id, post_id: postId, position, alt, width, height, created_at: createdAt };
  const rows = await db
    .select({ ...columns, document_at: documentSince })
    .from(photos)
    .where(eq(photos.authorId, userId))
    .orderBy(postId, position);
  return rows.map((row) => ({ ...row, file: fileNameOf(row.id, 'photo') }));
}

const answerRow = () =>
  z.object({ post_id: z.string(), answer: z.enum(['confirmed', 'dismissed']), answered_at: z.number() });

export function exportMatchAnswers(db: Db, userId: string) {
  return queryRows(db, answerRow)`
    select p.id as post_id, a.answer, a.answered_at from match_answers a
    cross join match_pairs m on m.id = a.pair_id
    join posts p on p.id in (m.lost_post_id, m.found_post_id) and p.author_id = a.user_id
    where a.user_id = ${userId} order by a.answered_at`;
}

const exportedClaimRow = () =>
  z.extend(
    z.pick(claimRow(), {
      ...{ id: true, post_id: true, post_title: true, post_kind: true, question: true, answer: true },
      ...{ private_marks: true, accepted_at: true, are_apart: true, created_at: true },
    }),
    { role: z.enum(CLAIM_ROLES), phone_number: z.nullable(z.string()), messages: z.string() },
  );

export async function exportClaims(db: Db, userId: string) {
  const shared = sql`k.id, k.post_id, k.post_title, k.post_kind, k.question, k.accepted_at, k.created_at,
    not (${areNotApart(sql`k.finder_id`, sql`k.claimant_id`)}) as are_apart`;
  const rows = await queryRows(db, exportedClaimRow)`
    select ${shared}, 'claimant' as role, k.answer, null as private_marks, k.phone_number,
      ${ownWords('claimant')} as messages from claims k where k.claimant_id = ${userId}
    union all
    select ${shared}, 'finder', null, k.private_marks, null, ${ownWords('finder')}
    from claims k where k.finder_id = ${userId}
    order by created_at`;
  return rows.map(presentOwn);
}

/** Presents a claim: the person's own texts in full, and the other party's texts redacted as in the app. */
function presentOwn({ post_kind, accepted_at, are_apart, ...row }: RowOf<typeof exportedClaimRow>) {
  const post_title = presentTitle({ post_title: row.post_title, post_kind }, row.role);
  const question = row.role === 'finder' ? row.question : redactClaim({ accepted_at, are_apart })(row.question);
  return { ...row, post_title, question };
}

/** Expression: the person's messages in the claim `k`, as JSON. */
function ownWords(role: ClaimRole): SQL {
  return sql`(
    select json_group_array(s.text) from claim_steps s
    where s.claim_id = k.id and s."by" = ${role} and s.text is not null)`;
}

const joinedRow = () =>
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    member_role: z.enum(['admin', 'member']),
    joined_at: z.number(),
  });

export function exportCommunities(db: Db, userId: string) {
  return queryRows(db, joinedRow)`
    select c.id, c.name, c.description, m.role as member_role, m.joined_at
    from memberships m cross join communities c on c.id = m.community_id
    where m.user_id = ${userId} order by m.joined_at`;
}

/** Lists the new community names that the person has requested and that no admin has decided on. */
export function exportCommunityNames(db: Db, userId: string) {
  const { id, pendingName, pendingNameAt, pendingNameBy } = communities;
  return db
    .select({ id, pending_name: pendingName, pending_name_at: pendingNameAt })
    .from(communities)
    .where(eq(pendingNameBy, userId));
}

/** Omits `declined_at`: people are not notified when their request is declined. */
export function exportJoinRequests(db: Db, userId: string) {
  const { communityId, message, createdAt } = joinRequests;
  return db
    .select({ community_id: communityId, message, created_at: createdAt })
    .from(joinRequests)
    .where(eq(joinRequests.userId, userId))
    .orderBy(createdAt);
}

export function exportRemovals(db: Db, userId: string) {
  const { communityId, removedAt } = communityRemovals;
  return db
    .select({ community_id: communityId, removed_at: removedAt })
    .from(communityRemovals)
    .where(eq(communityRemovals.userId, userId))
    .orderBy(removedAt);
}

export function exportRejections(db: Db, userId: string) {
  const { name, reason, rejectedAt } = communityRejections;
  return db
    .select({ name, reason, rejected_at: rejectedAt })
    .from(communityRejections)
    .where(eq(communityRejections.userId, userId))
    .orderBy(rejectedAt);
}

export function exportReports(db: Db, userId: string) {
  const { postId, reason, text, createdAt, reporterId } = postReports;
  return db
    .select({ post_id: postId, reason, text, created_at: createdAt })
    .from(postReports)
    .where(eq(reporterId, userId))
    .orderBy(createdAt);
}

export function exportClaimReports(db: Db, userId: string) {
  const { claimId, reason, text, createdAt, reporterId } = claimReports;
  return db
    .select({ claim_id: claimId, reason, text, created_at: createdAt })
    .from(claimReports)
    .where(eq(reporterId, userId))
    .orderBy(createdAt);
}

/** Lists the decisions of a platform admin. */
export function exportDecisions(db: Db, userId: string) {
  const { action, targetType, targetId, reason, createdAt, actorId } = moderationLog;
  return db
    .select({ action, target_type: targetType, target_id: targetId, reason, created_at: createdAt })
    .from(moderationLog)
    .where(eq(actorId, userId))
    .orderBy(createdAt);
}

/** Lists the people whom the person has blocked, never those who have blocked the person. */
export function exportBlocks(db: Db, userId: string) {
  const { id, name, createdAt } = blocks;
  return db
    .select({ id, name, created_at: createdAt })
    .from(blocks)
    .where(eq(blocks.blockerId, userId))
    .orderBy(createdAt);
}
