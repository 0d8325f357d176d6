import { sql } from 'drizzle-orm';
import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { Block } from '#contract/claims.ts';
import { POST_KINDS } from '#contract/kinds.ts';
import { BLOCKS_LISTED_MAX } from '#contract/limits.ts';
import { closeClaimsBetween } from '#worker/claims/close-claims.ts';
import { idOf } from '#worker/conditions/people.ts';
import { isOpenedBy } from '#worker/conditions/posts.ts';
import { type Db, readAs, writeAs } from '#worker/db/client.ts';
import { flag, idRow, idsOf, queryFirst, queryRows, type RowOf, rowOf } from '#worker/db/statements.ts';
import { blocks } from '#worker/db/tables/moderation.ts';
import { users } from '#worker/db/tables/people.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { type AppEnv, continueAfterAnswer } from '#worker/http/context.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { newId } from '#worker/identity/digests.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { withdrawBetween } from '#worker/notices/withdraw-notices.ts';
import { hideAnyContact, redactFor } from '#worker/redaction/redact-for.ts';

/** Routes below `/api`. */
export const blockRoutes = new Hono<AppEnv>()
  // The path contains a post's id, because the viewer knows the person only by their post.
  .post('/posts/:id/block-author', requireViewer, async (c) => {
    const { db, viewer } = c.var;
    const author = await findAuthor(db, viewer, c.req.param('id'));
    if (author?.id === viewer.userId) throw new AppError('own_post');
    // After a block, the author's post is no longer visible, but repeating the request still succeeds.
    if (!author || (author.is_seen === 0 && author.is_blocked === 0)) throw new AppError('post_not_found');
    continueAfterAnswer(c, deliverNotices(c.env, db, await insertBlock(db, viewer, author, Date.now())));
    return c.body(null, 204);
  })
  // The path contains a claim's id, because the two parties of a claim know each other only by name.
  .post('/claims/:id/block', requireViewer, async (c) => {
    const { db, viewer } = c.var;
    const other = await findOther(db, viewer, c.req.param('id'));
    if (!other) throw new AppError('claim_not_found');
    continueAfterAnswer(c, deliverNotices(c.env, db, await insertBlock(db, viewer, other, Date.now())));
    return c.body(null, 204);
  })
  .get('/me/blocks', requireViewer, async (c) => {
    const rows = await listBlocks(c.var.db, c.var.viewer);
    return c.json(rows.map((row): Block => ({ ...row, created_at: new Date(row.created_at).toISOString() })));
  })
  .delete('/me/blocks/:id', requireViewer, async (c) => {
    if (!(await deleteBlock(c.var.db, c.var.viewer, c.req.param('id')))) throw new AppError('not_found');
    return c.body(null, 204);
  });

const authorRow = () =>
  z.object({
    id: z.string(),
    title: z.string(),
    kind: z.enum(POST_KINDS),
    is_seen: flag(),
    is_blocked: flag(),
  });
const blockRow = () => z.object({ id: z.string(), name: z.string(), created_at: z.number() });
type BlockRow = RowOf<typeof blockRow>;

/** Reads a post's author, whether the viewer has blocked the author, and the post's title as the viewer sees it. */
async function findAuthor(db: Db, viewer: Viewer, postId: string) {
  const me = idOf(viewer);
  const { author } = await readAs(db, viewer, {
    author: queryFirst(db, authorRow)`
      select p.author_id as id, p.title, p.kind, ${isOpenedBy('p', me)} as is_seen, exists (
        select 1 from blocks k where k.blocker_id = ${me} and k.blocked_id = p.author_id) as is_blocked
      from posts p where p.id = ${postId}`,
  });
  return author && { ...author, name: redactFor('signed_in', author.kind)(author.title) };
}

/**
 * Reads the other party of one of the viewer's claims. Hides what looks like a phone number in that party's name.
 * @returns undefined if the claim is not the viewer's, or the other party's account is deleted.
 */
async function findOther(db: Db, viewer: Viewer, claimId: string) {
  const me = idOf(viewer);
  const { other } = await readAs(db, viewer, {
    other: queryFirst(db, rowOf(users, 'id', 'username'))`
      select u.id, u.username from claims k cross join users u on u.id = iif(k.finder_id = ${me}, k.claimant_id, k.finder_id)
      where k.id = ${claimId} and ${me} in (k.finder_id, k.claimant_id)`,
  });
  return other && { id: other.id, name: hideAnyContact(other.username) };
}

/**
 * Blocks the person, withdraws each person's unread notices about the other's posts, and closes the claims between the
 * two people.
 * @param blocked the person to block, with the name by which the viewer knows this person.
 * @returns the ids of the withdrawn notices, whose withdrawal the caller must deliver.
 */
async function insertBlock(db: Db, viewer: Viewer, blocked: { id: string; name: string }, now: number) {
  const me = idOf(viewer);
  const { notices } = await writeAs(db.repeatable, viewer, {
    insertBlocks: db
      .insert(blocks)
      .values({ blockerId: viewer.userId, blockedId: blocked.id, id: newId(), name: blocked.name, createdAt: now })
      .onConflictDoNothing({ target: [blocks.blockerId, blocks.blockedId] }),
    notices: withdrawBetween(db, me, sql`${blocked.id}`),
    closeClaimsBetween: closeClaimsBetween(db, me, sql`${blocked.id}`, now),
  });
  return idsOf(notices);
}

/** Lists the people whom the viewer has blocked, most recent first. */
async function listBlocks(db: Db, viewer: Viewer): Promise<BlockRow[]> {
  const { listed } = await readAs(db, viewer, {
    listed: queryRows(db, blockRow)`
      select id, name, created_at from blocks where blocker_id = ${viewer.userId}
      order by created_at desc, id desc limit ${BLOCKS_LISTED_MAX}`,
  });
  return listed;
}

/** @returns false if the viewer has no such block. */
async function deleteBlock(db: Db, viewer: Viewer, id: string): Promise<boolean> {
  const { deleted } = await writeAs(db, viewer, {
    deleted: queryRows(db, idRow)`delete from blocks where id = ${id} and blocker_id = ${viewer.userId} returning id`,
  });
  return deleted.length > 0;
}
