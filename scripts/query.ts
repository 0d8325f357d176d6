import { parseOptions, runScript, UserError } from '#scripts/command/command.ts';
import { DEFAULT_STATE_FOLDER, resolveStateFolder } from '#scripts/dev/options.ts';
import { assertDatabase, type LocalDatabase, whileLocked, withLocalDatabase } from './database/local-database.ts';

// Queries the local database, also while the app is running. Drizzle's studio is not used: it is a web page on the
// internet, and cannot open the database file of the local Worker without another driver.

const USAGE = 'Usage: npm run db:query -- "SELECT …" [--persist-to DIR]';

await runScript(async () => {
  const { values, positionals } = parseOptions({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { 'persist-to': { type: 'string', default: DEFAULT_STATE_FOLDER } },
  });
  const [statement, ...others] = positionals;
  if (!statement || others.length > 0) throw new UserError(USAGE);
  const stateFolder = resolveStateFolder(values['persist-to']);
  assertDatabase(stateFolder);
  const { results, meta } = await withLocalDatabase(stateFolder, (db) => whileLocked(() => query(db, statement)));
  if (results.length > 0) console.table(results);
  console.log(`${results.length} rows read, ${meta.changes} written.`);
});

async function query(db: LocalDatabase, statement: string) {
  try {
    return await db.prepare(statement).all();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (message.includes('SQLITE_BUSY')) throw error;
    throw new UserError(message);
  }
}
