import { loadEnv } from 'vite';
import { PROJECT_ROOT, parseOptions, runScript, UserError } from '#scripts/command/command.ts';
import { checkPublicAddresses, deployApp, type Steps } from '#scripts/wrangler/run-wrangler.ts';
import { readVersion, tryApp } from './smoke/try-app.ts';
import { runWrangler } from './wrangler/run-wrangler.ts';

// npm run deploy -- --url URL [--env staging] [--secrets-file FILE] [--dry-run]: runs `deployApp` (scripts/wrangler). A
// dry run prints the steps and bundles the Worker.

await runScript(async () => {
  const { values } = parseOptions({
    args: process.argv.slice(2),
    options: {
      url: { type: 'string' },
      env: { type: 'string', default: '' },
      'secrets-file': { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  const { url, env, 'secrets-file': secretsFile, 'dry-run': isDryRun } = values;
  if (!url || !URL.canParse(url)) throw new UserError('--url takes the address of the deployed app.');
  for (const warning of checkPublicAddresses(loadEnv('production', PROJECT_ROOT))) console.warn(warning);
  const steps = isDryRun ? rehearse(url) : await perform(url);
  await deployApp(steps, { environment: `--env=${env}`, url, ...(secretsFile !== undefined && { secretsFile }) });
});

async function perform(url: string): Promise<Steps> {
  const previous = await readVersion(url);
  return {
    wrangler(args) {
      say(`npx wrangler ${args.join(' ')}`);
      return runWrangler(args);
    },
    smoke() {
      say(`npm run smoke -- --remote ${url}`);
      return tryApp(url, previous);
    },
  };
}

function rehearse(url: string): Steps {
  return {
    async wrangler(args) {
      say(`npx wrangler ${args.join(' ')}`);
      if (args[0] === 'deploy') await runWrangler([...args, '--dry-run']);
    },
    async smoke() {
      say(`npm run smoke -- --remote ${url}`);
      return [];
    },
  };
}

function say(command: string): void {
  console.log(`\n$ ${command}`);
}
