import { UserError } from '#scripts/command/user-error.ts';
import { takeBookmark } from '#scripts/wrangler/run-wrangler.ts';
import type { Platform } from './platform.ts';

type ReleaseOptions = {
  /** Wrangler's option for the environment. Always passed, as wrangler warns without it. */
  environment: string;
  /** The deployed app's address, for the smoke test. */
  url: string;
  /** Wrangler's options for what is uploaded with the version. */
  uploadArguments: string[];
  /** The percentages of traffic for the new version before it gets all of it. */
  shares: number[];
  pauseSeconds: number;
  isRolledBack: boolean;
};

type Version = { id: string; workerName: string };
type Deployment = { versions: { version_id: string; percentage: number }[] };

/** Expected errors of the platform: there is no Worker yet, or the version has a Durable Object migration. */
const NO_WORKER = /code: 10007|has no deployments/;
const OBJECT_MIGRATION = 10211;

/** Releases a version. Any failure stops the release and prints how to roll back. */
export async function release(platform: Platform, options: ReleaseOptions): Promise<void> {
  const { environment, url } = options;
  const current = await findCurrentVersion(platform, environment);
  const databaseWayBack = await takeBookmark(environment, platform.ask);
  await migrate(platform, environment, databaseWayBack);
  const uploaded = current && (await upload(platform, options));
  try {
    if (current && uploaded) await shift(platform, options, current, uploaded);
    else await deployAtOnce(platform, options, current);
    await platform.smoke(['--remote', url]);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const way = current && uploaded ? await goBack(platform, options, current) : sayNoWayBack(current);
    throw new UserError([error.message, way, databaseWayBack].join('\n'));
  }
}

/** @returns null if there is none yet. @throws UserError if traffic is split between two. */
async function findCurrentVersion(platform: Platform, environment: string): Promise<string | null> {
  const deployment = await platform.ask<Deployment>(['deployments', 'status', environment]).catch((error: Error) => {
    if (NO_WORKER.test(error.message)) return { versions: [] };
    throw error;
  });
  const [version, other] = deployment.versions.filter(({ percentage }) => percentage > 0);
  if (other)
    throw new UserError(
      `A deployment was left half-way. Choose first, e.g.: npx wrangler rollback ${version?.version_id} ${environment}`,
    );
  return version?.version_id ?? null;
}

async function migrate(platform: Platform, environment: string, wayBack: string): Promise<void> {
  try {
    await platform.run(['d1', 'migrations', 'apply', 'DB', '--remote', environment]);
  } catch {
    // Wrangler has rolled back the failed migration and printed the reason; earlier ones stay applied.
    throw new UserError(`A migration failed, so nothing was deployed. ${wayBack}`);
  }
}

/** @returns null if the release has a Durable Object migration, which only `wrangler deploy` supports. */
async function upload(platform: Platform, { environment, uploadArguments }: ReleaseOptions): Promise<Version | null> {
  const isObjectMigration = ({ code }: { code?: number }) => code === OBJECT_MIGRATION;
  const report = await platform.run(['versions', 'upload', ...uploadArguments, environment], isObjectMigration);
  if (isObjectMigration(report)) {
    console.log("\nThis release changes the objects' classes, which the platform takes for all people at once alone.");
    return null;
  }
  if (!report.version_id || !report.worker_name) throw new UserError('wrangler did not name the version it uploaded.');
  return { id: report.version_id, workerName: report.worker_name };
}

/** Shifts traffic: none at first, when only the smoke test requests the version, then more and more. */
async function shift(platform: Platform, options: ReleaseOptions, current: string, uploaded: Version): Promise<void> {
  const { environment, url, shares, pauseSeconds } = options;
  const ofNew = ['--remote', url, '--override', `${uploaded.workerName}="${uploaded.id}"`];
  for (const share of [0, ...shares]) {
    // The new version is always last, so that a Durable Object that has moved to it stays there.
    const split = [`${current}@${100 - share}%`, `${uploaded.id}@${share}%`];
    await platform.run(['versions', 'deploy', ...split, '--yes', environment]);
    await platform.smoke(ofNew);
    if (share === 0) continue;
    await platform.smoke(['--remote', url]);
    await platform.wait(pauseSeconds);
  }
  await platform.run(['versions', 'deploy', `${uploaded.id}@100%`, '--yes', environment]);
  // Versions do not include crons and queue consumers.
  await platform.run(['triggers', 'deploy', environment]);
}

async function deployAtOnce(platform: Platform, options: ReleaseOptions, current: string | null): Promise<void> {
  if (current === null) console.log('\nThere is no version yet that people could be left with.');
  await platform.run(['deploy', ...options.uploadArguments, options.environment]);
}

async function goBack(platform: Platform, options: ReleaseOptions, current: string): Promise<string> {
  const command = ['rollback', current, '--yes', options.environment];
  if (!options.isRolledBack) return `The way back to the version of before: npx wrangler ${command.join(' ')}`;
  await platform.run(command);
  return `Everybody has the version of before again, ${current}.`;
}

function sayNoWayBack(current: string | null): string {
  return current === null
    ? 'There is no version before this one: mend what failed and deploy again.'
    : "There is no way back past a change of the objects' classes: mend what failed and deploy again.";
}
