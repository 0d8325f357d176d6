import { UserError } from '#scripts/command/user-error.ts';
import { takeBookmark } from '#scripts/wrangler/run-wrangler.ts';
import type { Platform } from './platform.ts';

export type ReleaseOptions = {
  /** The option that names the environment to wrangler, said in any case: it warns of a command that leaves it open. */
  environment: string;
  /** Where the deployed app is, for the smoke test. */
  url: string;
  /** What is uploaded with the version, as options of wrangler. */
  uploadArguments: string[];
  /** The percentages of people that are given the new version before all are. */
  shares: number[];
  pauseSeconds: number;
  isRolledBack: boolean;
};

type Version = { id: string; workerName: string };
type Deployment = { versions: { version_id: string; percentage: number }[] };

/** The platform's refusals: a Worker that is not there yet, and a version with a migration of an object's class. */
const NO_WORKER = /code: 10007|has no deployments/;
const OBJECT_MIGRATION = 10211;

/** Puts a version in place: whatever fails keeps what comes after it from happening, and says how to go back. */
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

/** @returns null where there is none yet. @throws UserError while people are given two. */
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
    // Wrangler has undone the migration that failed, and has said why it did; those before it stay.
    throw new UserError(`A migration failed, so nothing was deployed. ${wayBack}`);
  }
}

/** @returns null where the release has a migration of an object's class, which only `wrangler deploy` takes. */
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

/** To nobody first, where only the smoke test asks for it; then to more and more people. */
async function shift(platform: Platform, options: ReleaseOptions, current: string, uploaded: Version): Promise<void> {
  const { environment, url, shares, pauseSeconds } = options;
  const ofNew = ['--remote', url, '--override', `${uploaded.workerName}="${uploaded.id}"`];
  for (const share of [0, ...shares]) {
    // The new one always last: an object that has come to a version then stays with it.
    const split = [`${current}@${100 - share}%`, `${uploaded.id}@${share}%`];
    await platform.run(['versions', 'deploy', ...split, '--yes', environment]);
    await platform.smoke(ofNew);
    if (share === 0) continue;
    await platform.smoke(['--remote', url]);
    await platform.wait(pauseSeconds);
  }
  await platform.run(['versions', 'deploy', `${uploaded.id}@100%`, '--yes', environment]);
  // A version has neither crons nor consumers of queues.
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
