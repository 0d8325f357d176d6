import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { BLOCKS_LISTED_MAX } from '#contract/limits.ts';
import { POST_KINDS } from '#contract/posts.ts';
import { closeClaimsBetween } from '#worker/claims/index.ts';
import { type Db, readAs, writeAs } from '#worker/db/client.ts';
import { flag, idRow, idsOf, queryRows, type RowOf } from '#worker/db/rows.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { withdrawBetween } from '#worker/notices/index.ts';
import { hideAnyContact, idOf, isOpenedBy, redactFor } from '#worker/posts/index.ts';

const authorRow = () =>
  z.object({
    id: z.string(),
    title: z.string(),
    kind: z.enum(POST_KINDS),
    is_seen: flag(),
    is_blocked: flag(),
  });
const otherRow = () => z.object({ id: z.string(), username: z.string() });
const blockRow = () => z.object({ id: z.string(), name: z.string(), created_at: z.number() });
type BlockRow = RowOf<typeof blockRow>;

/** The post's author, by the post's title as the viewer is shown it, and how the viewer relates to them. */
export async function findAuthor(db: Db, viewer: Viewer, postId: string) {
  const me = idOf(viewer);
  const [[author]] = await readAs(db, viewer, [
    queryRows(db, authorRow)`
      select p.author_id as id, p.title, p.kind, ${isOpenedBy('p', me)} as is_seen, exists (
        select 1 from blocks k where k.blocker_id = ${me} and k.blocked_id = p.author_id) as is_blocked
      from posts p where p.id = ${postId}`,
  ]);
  return author && { ...author, name: redactFor('signed_in', author.kind)(author.title) };
}

/**
 * The other person of one of the viewer's claims, by their name with anything that could be a phone number hidden.
 * Undefined when the claim is not the viewer's, or the other account is gone.
 */
export async function findOther(db: Db, viewer: Viewer, claimId: string) {
  const me = idOf(viewer);
  const [[other]] = await readAs(db, viewer, [
    queryRows(db, otherRow)`
      select u.id, u.username from claims k cross join users u on u.id = iif(k.finder_id = ${me}, k.claimant_id, k.finder_id)
      where k.id = ${claimId} and ${me} in (k.finder_id, k.claimant_id)`,
  ]);
  return other && { id: other.id, name: hideAnyContact(other.username) };
}

/**
 * Blocks the person, withdraws unread notices about each other's posts, and closes the claims between the two.
 * @param blocked the name is what the viewer knows them by.
 * @returns the ids of the notices to withdraw.
 */
export async function insertBlock(db: Db, viewer: Viewer, blocked: { id: string; name: string }, now: number) {
  const me = idOf(viewer);
  const [, notices] = await writeAs(db.repeatable, viewer, [
    db.run(sql`
      insert into blocks (blocker_id, blocked_id, id, name, created_at)
      values (${me}, ${blocked.id}, ${newId()}, ${blocked.name}, ${now})
      on conflict (blocker_id, blocked_id) do nothing`),
    withdrawBetween(db, me, sql`${blocked.id}`),
    ...closeClaimsBetween(db, me, sql`${blocked.id}`, now),
  ]);
  return idsOf(notices);
}

/** The people that the viewer has blocked, most recent first. */
export async function listBlocks(db: Db, viewer: Viewer): Promise<BlockRow[]> {
  const [rows] = await readAs(db, viewer, [
    queryRows(db, blockRow)`
      select id, name, created_at from blocks where blocker_id = ${viewer.userId}
      order by created_at desc, id desc limit ${BLOCKS_LISTED_MAX}`,
  ]);
  return rows;
}

/** @returns false when there is no such block of the viewer's. */
export async function deleteBlock(db: Db, viewer: Viewer, id: string): Promise<boolean> {
  const [deleted] = await writeAs(db, viewer, [
    queryRows(db, idRow)`delete from blocks where id = ${id} and blocker_id = ${viewer.userId} returning id`,
  ]);
  return deleted.length > 0;
}
