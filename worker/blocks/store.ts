import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { BLOCKS_LISTED_MAX } from '#contract/limits.ts';
import { closeClaimsBetween } from '#worker/claims/index.ts';
import { type Db, readAs, writeAs } from '#worker/db/client.ts';
import { flag, idRow, idsOf, queryRows, type RowOf } from '#worker/db/rows.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { withdrawBetween } from '#worker/notices/index.ts';
import { hideAnyContact, idOf, isOpenedBy } from '#worker/posts/index.ts';

const authorRow = () => z.object({ is_mine: flag(), is_seen: flag(), is_blocked: flag() });
const otherRow = () => z.object({ id: z.string(), username: z.string() });
const blockRow = () => z.object({ id: z.string(), name: z.string(), created_at: z.number() });
type BlockRow = RowOf<typeof blockRow>;

/**
 * Blocks the post's author, if the viewer may see the post, and withdraws unread notices about each other's posts.
 * @returns how the viewer relates to the post, undefined if there is none, and the ids of the notices to withdraw.
 */
export async function blockAuthor(db: Db, viewer: Viewer, postId: string, now: number) {
  const me = idOf(viewer);
  const isBlocked = sql`exists (select 1 from blocks k where k.blocker_id = ${me} and k.blocked_id = p.author_id)`;
  const [[author], , notices] = await writeAs(db.repeatable, viewer, [
    queryRows(db, authorRow)`
      select p.author_id = ${me} as is_mine, ${isOpenedBy('p', me)} as is_seen, ${isBlocked} as is_blocked
      from posts p where p.id = ${postId}`,
    db.run(sql`
      insert into blocks (blocker_id, blocked_id, id, name, created_at)
      select ${me}, p.author_id, ${newId()}, p.title, ${now} from posts p
      where p.id = ${postId} and p.author_id <> ${me} and ${isOpenedBy('p', me)}
      on conflict (blocker_id, blocked_id) do nothing`),
    withdrawBetween(db, me, sql`(select p.author_id from posts p where p.id = ${postId} and ${isBlocked})`),
    ...closeClaimsBetween(db, me, sql`(select p.author_id from posts p where p.id = ${postId} and ${isBlocked})`, now),
  ]);
  return { author, noticeIds: idsOf(notices) };
}

/**
 * Blocks the other person of one of the viewer's claims, whatever its state. They are listed by name, with anything that
 * could be a phone number hidden.
 * @returns the ids of the notices to withdraw; null when the claim is not the viewer's, or the other account is gone.
 */
export async function blockOther(db: Db, viewer: Viewer, claimId: string, now: number) {
  const me = idOf(viewer);
  const [[other]] = await readAs(db, viewer, [
    queryRows(db, otherRow)`
      select u.id, u.username from claims k cross join users u on u.id = iif(k.finder_id = ${me}, k.claimant_id, k.finder_id)
      where k.id = ${claimId} and ${me} in (k.finder_id, k.claimant_id)`,
  ]);
  if (!other) return null;
  const [, notices] = await writeAs(db.repeatable, viewer, [
    db.run(sql`
      insert into blocks (blocker_id, blocked_id, id, name, created_at)
      values (${me}, ${other.id}, ${newId()}, ${hideAnyContact(other.username)}, ${now})
      on conflict (blocker_id, blocked_id) do nothing`),
    withdrawBetween(db, me, sql`${other.id}`),
    ...closeClaimsBetween(db, me, sql`${other.id}`, now),
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
