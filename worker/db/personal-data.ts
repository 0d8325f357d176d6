import type { BatchItem } from 'drizzle-orm/batch';
import type { Db } from './client.ts';

/** The personal data that a noun stores, with its export and its erasure. */
export type PersonalData = {
  /** The noun's tables with personal data, each with the column that says whose a row is. */
  tables: Readonly<Record<string, string>>;
  /** All stored data of the person, by the names of the export; no hashes, codes or keys. */
  exportFor: (db: Db, userId: string) => Promise<Record<string, unknown>>;
  /** Deletes a bounded number of rows, where there are many per post. @returns how many; 0 when none are left. */
  eraseSome?: (db: Db, userId: string) => Promise<number>;
  /** Statements that erase the person from these tables. The nouns run in the order of `PERSONAL_DATA`. */
  eraseFor: (db: Db, userId: string) => BatchItem<'sqlite'>[];
};
