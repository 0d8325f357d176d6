import { eq } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { phoneNumbers, users } from '#worker/db/schema.ts';

export const accountData: PersonalData = {
  tables: { phone_numbers: 'user_id', users: 'id' },
  async exportFor(db, userId) {
    const [me] = await db
      .select({
        id: users.id,
        username: users.username,
        email: users.email,
        email_proven_at: users.emailProvenAt,
        whatsapp_number: phoneNumbers.number,
        number_proven_at: phoneNumbers.provenAt,
        language: users.language,
        is_platform_admin: users.isPlatformAdmin,
        became_platform_admin_at: users.platformAdminSince,
        suspended_at: users.suspendedAt,
        suspension_reason: users.suspensionReason,
        created_at: users.createdAt,
      })
      .from(users)
      .leftJoin(phoneNumbers, eq(phoneNumbers.userId, users.id))
      .where(eq(users.id, userId));
    return { me: me ?? null };
  },
  eraseFor: (db, userId) => [
    db.delete(phoneNumbers).where(eq(phoneNumbers.userId, userId)),
    db.delete(users).where(eq(users.id, userId)),
  ],
};
