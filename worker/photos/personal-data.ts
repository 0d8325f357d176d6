import { sql } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { fileNameOf } from './renditions.ts';

export const photoData: PersonalData = {
  tables: { photos: 'author_id' },
  async exportFor(db, userId) {
    const rows = await db.all<{ id: string }>(sql`
      select h.id, h.post_id, h.position, h.alt, h.width, h.height, h.created_at, h.document_since as document_at
      from photos h where h.author_id = ${userId} order by h.post_id, h.position`);
    return { photos: rows.map((row) => ({ ...row, file: fileNameOf(row.id, 'photo') })) };
  },
  // Their objects go by what the trigger has written down (`deleteLeftovers`).
  eraseFor: (db, userId) => [db.run(sql`delete from photos where author_id = ${userId}`)],
};
