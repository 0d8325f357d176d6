import { eq } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { photos } from '#worker/db/schema.ts';
import { fileNameOf } from './renditions.ts';

export const photoData: PersonalData = {
  tables: { photos: 'author_id' },
  async exportFor(db, userId) {
    const { id, postId, position, alt, width, height, createdAt, documentSince } = photos;
    const columns = { id, post_id: postId, position, alt, width, height, created_at: createdAt };
    const rows = await db
      .select({ ...columns, document_at: documentSince })
      .from(photos)
      .where(eq(photos.authorId, userId))
      .orderBy(postId, position);
    return { photos: rows.map((row) => ({ ...row, file: fileNameOf(row.id, 'photo') })) };
  },
  // A trigger records them in `photo_leftovers`, from which `deleteLeftovers` deletes the objects.
  eraseFor: (db, userId) => [db.delete(photos).where(eq(photos.authorId, userId))],
};
