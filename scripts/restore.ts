import { readSchema } from './backup/read-schema.ts';
import { checkBackup, hasData, restoreBackup } from './backup/restore-backup.ts';
import { resolveFile, TARGET_OPTIONS, withTarget } from './backup/with-target.ts';
import { parseOptions } from './command/parse-options.ts';
import { runScript, UserError } from './command/user-error.ts';
import { takeBookmark } from './wrangler/run-wrangler.ts';

const USAGE = 'Usage: npm run restore -- FILE [--remote] [--persist-to DIR] [--replace]';

await runScript(async () => {
  const { values, positionals } = parseOptions({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { ...TARGET_OPTIONS, replace: { type: 'boolean', default: false } },
  });
  const [named, ...others] = positionals;
  if (!named || others.length > 0) throw new UserError(USAGE);
  const file = resolveFile(named);
  checkBackup(file);
  await withTarget(values, async (target) => {
    const schema = await readSchema(target);
    if (!values.replace && (await hasData(target, schema)))
      throw new UserError('The database has data. To lose it for what is in the file: --replace');
    if (values.remote) await takeBookmark();
    await restoreBackup(target, schema, file);
  });
  console.log(`The database is as it was in ${file}.`);
});
