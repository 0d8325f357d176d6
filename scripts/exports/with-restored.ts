import { join } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { applyMigrations } from '#scripts/database/apply-migrations.ts';
import { withLocalDatabase } from '#scripts/database/local-database.ts';
import { prepareStateFolder } from '#scripts/database/state-folder.ts';
import { loadExport } from './load-export.ts';
import type { Export } from './read-export.ts';
import { localTarget, type Target } from './target.ts';

/**
 * Loads an export into a database of its own in the state folder, with the tables of that time, migrates the database and
 * applies the erasures since then. Prints what had to be changed.
 */
export async function withRestored(
  exported: Export,
  stateFolder: string,
  use: (restored: Target) => Promise<void>,
): Promise<void> {
  const migrations = join(PROJECT_ROOT, 'migrations');
  prepareStateFolder(stateFolder);
  // Imported first, because the Worker's code, which is imported next, imports text files.
  await import('#scripts/lexicon/register-text-modules.ts');
  const { catchUp } = await import('./catch-up.ts');
  await withLocalDatabase(stateFolder, async (db) => {
    await applyMigrations(db, migrations, exported.manifest.migration);
    const leftOut = await loadExport(db, exported);
    await applyMigrations(db, migrations);
    const erased = await catchUp(db, exported.erased);
    for (const [table, count] of leftOut)
      console.log(`${table}: ${count} rows are left out, without what they refer to.`);
    console.log(`Accounts erased since, and now again: ${erased}. Everybody has to sign in again.`);
    await use(localTarget(db));
  });
}
