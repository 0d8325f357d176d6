import { eq, or } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { blocks } from '#worker/db/schema.ts';

/** People get the list of those they have blocked, and never learn who has blocked them. */
export const blockData: PersonalData = {
  tables: { blocks: 'blocker_id' },
  async exportFor(db, userId) {
    const { id, name, createdAt } = blocks;
    const listed = db.select({ id, name, created_at: createdAt }).from(blocks);
    return { blocks: await listed.where(eq(blocks.blockerId, userId)).orderBy(createdAt) };
  },
  eraseFor: (db, userId) => [db.delete(blocks).where(or(eq(blocks.blockerId, userId), eq(blocks.blockedId, userId)))],
};
