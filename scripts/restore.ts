import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUpExport } from './backup/back-up-export.ts';
import { readSchema } from './backup/read-schema.ts';
import { checkBackup, hasData, restoreBackup } from './backup/restore-backup.ts';
import { resolveFile, TARGET_OPTIONS, withTarget } from './backup/with-target.ts';
import { parseOptions } from './command/parse-options.ts';
import { runScript, UserError } from './command/user-error.ts';
import { takeBookmark } from './wrangler/run-wrangler.ts';

const USAGE = 'Usage: npm run restore -- BACKUP_FILE|EXPORT_FOLDER [--remote] [--persist-to DIR] [--replace]';

await runScript(async () => {
  const { values, positionals } = parseOptions({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { ...TARGET_OPTIONS, replace: { type: 'boolean', default: false } },
  });
  const [named, ...others] = positionals;
  if (!named || others.length > 0) throw new UserError(USAGE);
  const source = resolveFile(named);
  await withBackup(source, async (file) => {
    checkBackup(file);
    await withTarget(values, async (target) => {
      const schema = await readSchema(target);
      if (!values.replace && (await hasData(target, schema)))
        throw new UserError('The database has data. To lose it for what is in the file: --replace');
      if (values.remote) await takeBookmark();
      await restoreBackup(target, schema, file);
    });
  });
  console.log(`The database is as it was in ${source}.`);
});

/** Turns an export into a backup first, in a separate database, so that it, too, is restored as a whole or not at all. */
async function withBackup(source: string, use: (file: string) => Promise<void>): Promise<void> {
  if (!statSync(source, { throwIfNoEntry: false })?.isDirectory()) return use(source);
  const folder = mkdtempSync(join(tmpdir(), 'patikana-export-'));
  try {
    const file = join(folder, 'backup.sql');
    await backUpExport(source, file, join(folder, 'state'));
    await use(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
