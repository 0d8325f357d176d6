import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMain, parseOptions, runScript, UserError } from '#scripts/command/command.ts';
import { readExport, withRestored } from '#scripts/restore/read-export.ts';
import {
  quoteName,
  readSchema,
  resolveFile,
  type Schema,
  TARGET_OPTIONS,
  type Target,
  withTarget,
  writeStatements,
} from '#scripts/restore/target.ts';
import { takeBookmark } from './wrangler/run-wrangler.ts';

const USAGE = 'Usage: npm run restore -- EXPORT_FOLDER [--remote] [--persist-to DIR] [--replace]';

/** Tables into which migrations insert rows. They have rows even in a database without any data of users. */
const WITHOUT_DATA = ['d1_migrations', 'heartbeats'];

if (isMain(import.meta)) await runScript(() => restore(process.argv.slice(2)));

/**
 * Replaces a database by an export, as the arguments of the command say.
 * @throws UserError if the export is damaged, or if the database has data and `--replace` is missing.
 */
export async function restore(args: string[]): Promise<void> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: { ...TARGET_OPTIONS, replace: { type: 'boolean', default: false } },
  });
  const [named, ...others] = positionals;
  if (!named || others.length > 0) throw new UserError(USAGE);
  const source = resolveFile(named);
  const exported = readExport(source);
  const folder = mkdtempSync(join(tmpdir(), 'patikana-restore-'));
  try {
    await withTarget(values, async (target) => {
      const schema = await readSchema(target);
      if (!values.replace && (await hasData(target, schema)))
        throw new UserError('The database has data. To replace the data by the export: --replace');
      const file = join(folder, 'restore.sql');
      await withRestored(exported, join(folder, 'state'), (restored) => writeStatements(restored, schema, file));
      if (values.remote) await takeBookmark();
      await target.runFile(file);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`The database is as it was in ${source}.`);
}

async function hasData(target: Target, { tables }: Schema): Promise<boolean> {
  const filled = tables
    .filter(({ name }) => !WITHOUT_DATA.includes(name))
    .map(({ name }) => `EXISTS (SELECT 1 FROM ${quoteName(name)})`);
  const [row] = await target.query<{ has_data: number }>(`SELECT ${filled.join(' OR ') || 0} AS has_data`);
  return row?.has_data === 1;
}
