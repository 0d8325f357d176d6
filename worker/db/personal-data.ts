import type { BatchItem } from 'drizzle-orm/batch';
import type { Db } from './client.ts';

/** What a noun holds of a person: how it is handed to them, and how it goes when they go. */
export type PersonalData = {
  /** The noun's tables with a column that says whose a row is, by that column. */
  tables: Readonly<Record<string, string>>;
  /** Everything that is held of the person, under the names of the export; no hash, code or key. */
  exportFor: (db: Db, userId: string) => Promise<Record<string, unknown>>;
  /** Deletes a bounded number of those rows of which there are many a post. @returns how many; none when there are no more. */
  eraseSome?: (db: Db, userId: string) => Promise<number>;
  /** Statements after which nothing of the person is left in these tables, to be run in the order of `PERSONAL_DATA`. */
  eraseFor: (db: Db, userId: string) => BatchItem<'sqlite'>[];
};
