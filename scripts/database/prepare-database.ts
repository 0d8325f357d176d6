import { join } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { DEFAULT_PORT } from '#scripts/dev/arguments.ts';
import { applyMigrations } from './apply-migrations.ts';
import { assertKnownMigrations, assertSchema } from './check-schema.ts';
import { withLocalDatabase } from './local-database.ts';
import { hasDemoUsers, hasUsers, seed } from './seed.ts';

const MIGRATIONS = join(PROJECT_ROOT, 'migrations');

/**
 * Migrates the local database, and fills it with demo data if nobody has an account yet.
 * @returns whether the demo accounts exist, and whether they have just been created.
 * @throws UserError if the database has the schema of another version.
 */
export function prepareDatabase(
  stateFolder: string,
  { isEmpty, port = DEFAULT_PORT }: { isEmpty: boolean; port?: number },
): Promise<{ hasDemo: boolean; isNew: boolean }> {
  return withLocalDatabase(stateFolder, async (db) => {
    await assertKnownMigrations(db, MIGRATIONS);
    await applyMigrations(db, MIGRATIONS);
    await assertSchema(db, MIGRATIONS);
    const isNew = !isEmpty && !(await hasUsers(db));
    if (isNew) await seed(db, `http://localhost:${port}`);
    return { hasDemo: await hasDemoUsers(db), isNew };
  });
}
