import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { queryRows } from '#worker/db/rows.ts';
import { fileNameOf } from './renditions.ts';

const exportedRow = () =>
  z.object({
    id: z.string(),
    post_id: z.string(),
    position: z.number(),
    alt: z.string(),
    width: z.number(),
    height: z.number(),
    created_at: z.number(),
    document_at: z.nullable(z.number()),
  });

export const photoData: PersonalData = {
  tables: { photos: 'author_id' },
  async exportFor(db, userId) {
    const rows = await queryRows(db, exportedRow)`
      select h.id, h.post_id, h.position, h.alt, h.width, h.height, h.created_at, h.document_since as document_at
      from photos h where h.author_id = ${userId} order by h.post_id, h.position`;
    return { photos: rows.map((row) => ({ ...row, file: fileNameOf(row.id, 'photo') })) };
  },
  // A trigger records them in `photo_leftovers`, from which `deleteLeftovers` deletes the objects.
  eraseFor: (db, userId) => [db.run(sql`delete from photos where author_id = ${userId}`)],
};
