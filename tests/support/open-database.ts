import { type LocalDatabase, withLocalDatabase } from '#scripts/database/local-database.ts';

export type OpenDatabase = {
  db: LocalDatabase;
  /** Returns the rows of a query. */
  query(statement: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
};

/** Opens the database in the state folder until `close` is called. Opening starts workerd, which takes a second. */
export async function openDatabase(stateFolder: string): Promise<OpenDatabase> {
  const closing = Promise.withResolvers<void>();
  let isClosed: Promise<void> = Promise.resolve();
  const db = await new Promise<LocalDatabase>((resolve, reject) => {
    isClosed = withLocalDatabase(stateFolder, async (opened) => {
      resolve(opened);
      await closing.promise;
    });
    isClosed.catch(reject);
  });
  return {
    db,
    query: async (statement) => (await db.prepare(statement).all()).results,
    async close() {
      closing.resolve();
      await isClosed;
    },
  };
}
