import { parseOptions } from './command/parse-options.ts';
import { runScript, UserError } from './command/user-error.ts';
import { runWrangler, takeBookmark } from './wrangler/run-wrangler.ts';

// npm run deploy [-- --env staging] [--secrets-file FILE] [--dry-run]: whatever fails keeps what comes after it from happening.

await runScript(async () => {
  const args = process.argv.slice(2);
  const options = {
    env: { type: 'string', default: '' },
    'secrets-file': { type: 'string' },
    'dry-run': { type: 'boolean' },
  } as const;
  const { values } = parseOptions({ args, options });
  if (!values['dry-run']) await migrate(`--env=${values.env}`);
  // Said in any case: wrangler warns of a command that leaves it open which of several environments is meant.
  await runWrangler(['deploy', ...args, ...(values.env ? [] : ['--env='])], 'inherit');
});

/** @param environment the option that names it to wrangler. */
async function migrate(environment: string): Promise<void> {
  const wayBack = await takeBookmark(environment);
  try {
    await runWrangler(['d1', 'migrations', 'apply', 'DB', '--remote', environment]);
  } catch {
    // Wrangler has undone the migration that failed, and has said why it did; those before it stay.
    throw new UserError(`A migration failed, so nothing was deployed. ${wayBack}`);
  }
}
