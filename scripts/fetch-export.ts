import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseOptions, runScript, UserError } from '#scripts/command/command.ts';
import { readExport, readManifest } from '#scripts/restore/read-export.ts';
import { resolveFile, TARGET_OPTIONS, withExports } from '#scripts/restore/target.ts';
import { ERASED_KEY, folderOf, MANIFEST } from '#worker/exports/manifest.ts';

const USAGE = 'Usage: npm run fetch-export -- DAY FOLDER [--remote] [--persist-to DIR]';

await runScript(async () => {
  const { values, positionals } = parseOptions({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: TARGET_OPTIONS,
  });
  const [day, named, ...others] = positionals;
  if (!day || !named || others.length > 0) throw new UserError(USAGE);
  const folder = resolveFile(named);
  await withExports(values, async (fetchObject) => {
    const fetchFile = (file: string, key = folderOf(day) + file) => {
      // The mode lets only the current user read the folder, because exports contain personal data.
      mkdirSync(dirname(join(folder, file)), { recursive: true, mode: 0o700 });
      return fetchObject(key, join(folder, file));
    };
    await fetchFile(MANIFEST);
    await fetchFile(ERASED_KEY, ERASED_KEY);
    for (const { pieces } of readManifest(folder).tables) for (const { file } of pieces) await fetchFile(file);
  });
  readExport(folder);
  console.log(
    `The export of ${day} is in ${folder}, as it was written. It contains people's phone numbers: keep it safe.`,
  );
});
