import { join } from 'node:path';
import { resolveFile, TARGET_OPTIONS, withTarget } from './backup/with-target.ts';
import { writeBackup } from './backup/write-backup.ts';
import { parseOptions } from './command/parse-options.ts';
import { PROJECT_ROOT } from './command/project-root.ts';
import { runScript, UserError } from './command/user-error.ts';

const USAGE = 'Usage: npm run backup -- [--remote] [--persist-to DIR] [FILE]';

await runScript(async () => {
  const { values, positionals } = parseOptions({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: TARGET_OPTIONS,
  });
  const [named, ...others] = positionals;
  if (others.length > 0) throw new UserError(USAGE);
  const file = named ? resolveFile(named) : join(PROJECT_ROOT, 'backups', nameByTime());
  await withTarget(values, (target) => writeBackup(target, file));
  console.log(`Everything is in ${file}; whoever has it has people's numbers too.`);
});

/** Windows allows no colons in file names. */
function nameByTime(): string {
  return `patikana-${new Date().toISOString().replaceAll(':', '')}.sql`;
}
