import { UserError } from '#scripts/command/user-error.ts';

/** What a deployment does outside of this process. */
export type Steps = {
  /** @throws UserError if the command fails. */
  wrangler(args: string[]): Promise<void>;
  /** Tests the deployed app. @returns the problems found. */
  smoke(): Promise<string[]>;
};

type Options = {
  /** Wrangler's option for the environment. Always passed, as wrangler warns without it. */
  environment: string;
  /** The app's address, which canonical addresses and links in e-mails begin with. */
  url: string;
  secretsFile?: string;
};

/**
 * Applies the migrations, deploys the version and tests it. Rolls the Worker back, but not the migrations, if the test fails.
 * @throws UserError if a step fails. No later step runs then.
 */
export async function deployApp({ wrangler, smoke }: Steps, { environment, url, secretsFile }: Options): Promise<void> {
  const secrets = secretsFile === undefined ? [] : ['--secrets-file', secretsFile];
  await wrangler(['d1', 'migrations', 'apply', 'DB', '--remote', environment]);
  await wrangler(['deploy', '--var', `APP_ORIGIN:${new URL(url).origin}`, ...secrets, environment]);
  const problems = await smoke();
  if (problems.length === 0) return;
  const failure = [...problems, 'The smoke test failed.'].join('\n');
  // Fails if no earlier version exists, or if the new one changes a Durable Object class.
  await wrangler(['rollback', '--yes', environment]).catch(() => {
    throw new UserError(`${failure} The rollback failed too, so the new version is live: fix it and deploy again.`);
  });
  throw new UserError(`${failure} The previous version is live again. The migrations stay applied.`);
}
