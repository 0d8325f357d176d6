import { and, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { notices, posts } from '#worker/db/schema.ts';
import { isShownTo, redactFor } from '#worker/posts/index.ts';

const otherPost = alias(posts, 'p');

/** Others' notices about the person's posts have been retracted from their mailboxes before (`retractNotices`). */
export const noticeData: PersonalData = {
  tables: { notices: 'recipient_id' },
  /** Of the other person's post in a match only what the list of notices shows now: nothing once it is hidden. */
  async exportFor(db, userId) {
    const rows = await db
      .select({
        type: notices.type,
        post_id: otherPost.id,
        title: otherPost.title,
        kind: otherPost.kind,
        your_post_id: notices.yourPostId,
        body: notices.body,
        created_at: notices.createdAt,
        acknowledged_at: notices.acknowledgedAt,
        pushed_at: notices.pushedAt,
        whatsapp_at: notices.whatsappAt,
        emailed_at: notices.emailedAt,
        read_at: notices.readAt,
        dismissed_at: notices.dismissedAt,
      })
      .from(notices)
      .leftJoin(otherPost, and(eq(otherPost.id, notices.postId), isShownTo('p', sql`${notices.recipientId}`)))
      .where(eq(notices.recipientId, userId))
      .orderBy(notices.createdAt);
    return {
      notices: rows.map(({ kind, title, ...row }) => ({ ...row, title: title && redactFor('signed_in', kind)(title) })),
    };
  },
  eraseFor: (db, userId) => [
    db.delete(notices).where(eq(notices.recipientId, userId)),
    db.run(sql`delete from notices where post_id in (select id from posts where author_id = ${userId})`),
  ],
};
