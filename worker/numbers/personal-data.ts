import { sql } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';

/** Codes and proofs are kept for a day, belong to no account until they are used, and are not exported. */
export const numberData: PersonalData = {
  tables: { number_codes: 'number', number_proofs: 'number' },
  exportFor: async () => ({}),
  eraseFor: (db, userId) => {
    const number = sql`(select number from phone_numbers where user_id = ${userId})`;
    return [
      db.run(sql`
        delete from number_codes where used_by = ${userId} or subject = ${userId} or number = ${number}`),
      db.run(sql`delete from number_proofs where used_by = ${userId} or number = ${number}`),
    ];
  },
};
