import { parseOptions } from './command/parse-options.ts';
import { runScript, UserError } from './command/user-error.ts';
import { runWrangler, takeBookmark } from './wrangler/run-wrangler.ts';

// npm run deploy [-- --secrets-file FILE] [--dry-run]: whatever fails keeps what comes after it from happening.

await runScript(async () => {
  const args = process.argv.slice(2);
  const options = { 'secrets-file': { type: 'string' }, 'dry-run': { type: 'boolean' } } as const;
  const { values } = parseOptions({ args, options });
  if (!values['dry-run']) await migrate();
  await runWrangler(['deploy', ...args], 'inherit');
});

async function migrate(): Promise<void> {
  const wayBack = await takeBookmark();
  try {
    await runWrangler(['d1', 'migrations', 'apply', 'DB', '--remote']);
  } catch {
    // Wrangler has undone the migration that failed, and has said why it did; those before it stay.
    throw new UserError(`A migration failed, so nothing was deployed. ${wayBack}`);
  }
}
