import { parseOptions } from './command/parse-options.ts';
import { runScript, UserError } from './command/user-error.ts';
import { cloudflare, rehearsal } from './deploy/platform.ts';
import { release } from './deploy/release.ts';
import { runWrangler } from './wrangler/run-wrangler.ts';

// npm run deploy -- --url URL [--env staging] [--secrets-file FILE] [--at-once] [--pause SECONDS] [--roll-back-on-failure]
// [--dry-run]: takes a bookmark, applies migrations, uploads a version that gets no traffic, and then shifts traffic to it
// step by step, each time after a smoke test.

/** The percentages of traffic on the way to all of it. */
const SHARES = [10, 50];
const PAUSE_SECONDS = 300;

await runScript(async () => {
  const { values } = parseOptions({
    args: process.argv.slice(2),
    options: {
      url: { type: 'string' },
      env: { type: 'string', default: '' },
      'secrets-file': { type: 'string' },
      'at-once': { type: 'boolean', default: false },
      pause: { type: 'string', default: String(PAUSE_SECONDS) },
      'roll-back-on-failure': { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  if (!values.url || !URL.canParse(values.url)) throw new UserError('--url takes the address of the deployed app.');
  const environment = `--env=${values.env}`;
  await release(values['dry-run'] ? rehearsal : cloudflare, {
    environment,
    url: values.url,
    uploadArguments: values['secrets-file'] ? ['--secrets-file', values['secrets-file']] : [],
    shares: values['at-once'] ? [] : SHARES,
    pauseSeconds: parseSeconds(values.pause),
    isRolledBack: values['roll-back-on-failure'],
  });
  if (values['dry-run']) await runWrangler(['deploy', '--dry-run', environment]);
});

function parseSeconds(typed: string): number {
  if (!/^\d{1,5}$/.test(typed)) throw new UserError(`--pause takes a number of seconds, not "${typed}".`);
  return Number(typed);
}
