import { execFile, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { PROJECT_ROOT, UserError } from '#scripts/command/command.ts';

/** Wrangler's script, to be run with this Node, not the one on the PATH. */
const WRANGLER = join(dirname(createRequire(import.meta.url).resolve('wrangler/package.json')), 'bin/wrangler.js');

const STDIO: StdioOptions = ['ignore', 'inherit', 'inherit'];
const OPTIONS = {
  cwd: PROJECT_ROOT,
  env: {
    ...process.env,
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_HIDE_BANNER: 'true',
    // Set because `npm run deploy` has already built the web app, so that prepare-wrangler.ts does not build it again.
    PATIKANA_HAS_WEB: 'true',
  },
};

/**
 * Runs a wrangler command as the user who is signed in to wrangler, and shows the command's output. Wrangler has no
 * terminal for input (`STDIO`), so it asks no questions and uses its default answers.
 * @throws UserError if the command fails.
 */
export async function runWrangler(args: string[]): Promise<void> {
  const [code] = await once(spawn(process.execPath, [WRANGLER, ...args], { ...OPTIONS, stdio: STDIO }), 'exit');
  if (code !== 0) throw new UserError(`wrangler ${args.slice(0, 3).join(' ')} failed.`);
}

/** Runs a wrangler command and returns the command's JSON output. @throws UserError if the command fails. */
export async function askWrangler<Answer>(args: string[]): Promise<Answer> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [WRANGLER, ...args, '--json'], {
      ...OPTIONS,
      maxBuffer: Number.POSITIVE_INFINITY,
    });
    return JSON.parse(stdout) as Answer;
  } catch (error) {
    throw new UserError(`wrangler could not reach the deployed database: ${reasonOf(error)}`);
  }
}

/** Gets a Time Travel bookmark of the deployed database, and prints the command that restores the database to it. */
export async function takeBookmark(): Promise<void> {
  const { bookmark } = await askWrangler<{ bookmark?: string }>(['d1', 'time-travel', 'info', 'DB', '--env=']);
  if (!bookmark) throw new UserError('Time Travel gave no bookmark.');
  console.log(`To restore the present database: npx wrangler d1 time-travel restore DB --bookmark=${bookmark}`);
}

/** Runs statements on the deployed database in one transaction. @returns the rows of the last statement. */
export async function queryRemoteDatabase<Row>(sql: string): Promise<Row[]> {
  const args = ['d1', 'execute', 'DB', '--remote', '--yes', '--command', sql];
  const answers = await askWrangler<{ results: Row[] }[]>(args);
  return answers.at(-1)?.results ?? [];
}

/** Returns what failed and why. Wrangler reports errors as JSON on stdout or as text on stderr. */
function reasonOf(error: unknown): string {
  const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
  const json = /"text":\s*"([^"]+)"/.exec(stdout)?.[1];
  const lines = stripVTControlCharacters(`${stderr}${stdout}`)
    .split('\n')
    .map((line) => line.trim());
  return json ?? (lines.filter(Boolean).slice(0, 2).join(' ') || String(error));
}

/** The steps of a deployment that change something outside this process. Tests replace these steps. */
export type Steps = {
  /** Runs a command of wrangler. @throws UserError if the command fails. */
  wrangler(args: string[]): Promise<void>;
  /** Tests the deployed app. @returns the problems found. */
  smoke(): Promise<string[]>;
};

type Options = {
  /** Wrangler's `--env` option. Always passed, because wrangler warns without it. */
  environment: string;
  /** The app's URL, with which canonical URLs and links in e-mails begin. */
  url: string;
  secretsFile?: string;
};

/**
 * Applies the migrations, deploys the app and runs the smoke test. If the smoke test fails, rolls back the Worker, but
 * not the migrations.
 * @throws UserError if a step fails. Later steps do not run.
 */
export async function deployApp({ wrangler, smoke }: Steps, { environment, url, secretsFile }: Options): Promise<void> {
  const secrets = secretsFile === undefined ? [] : ['--secrets-file', secretsFile];
  await wrangler(['d1', 'migrations', 'apply', 'DB', '--remote', environment]);
  await wrangler(['deploy', '--var', `APP_ORIGIN:${new URL(url).origin}`, ...secrets, environment]);
  const problems = await smoke();
  if (problems.length === 0) return;
  const failure = [...problems, 'The smoke test failed.'].join('\n');
  // A rollback fails if no earlier version exists, or if the new version changes a Durable Object class.
  await wrangler(['rollback', '--yes', environment]).catch(() => {
    throw new UserError(`${failure} The rollback failed too, so the new version is live: fix it and deploy again.`);
  });
  throw new UserError(`${failure} The previous version is live again. The migrations stay applied.`);
}

/** What the pages lack if a variable of the build is not set (web/home/support-addresses.ts). */
const LACKING = {
  VITE_SUPPORT_ADDRESS: 'no page names an e-mail address for support.',
  VITE_SOCIAL_PROFILE_URL: 'the home page links to no social profile.',
  VITE_OWNER_POSTAL_ADDRESS: 'the privacy page names no postal address, which the law may require.',
};

/**
 * Checks the public contact addresses in a build for deployment.
 * @returns a warning for each address that is not set.
 * @throws UserError for an example address (RFC 2606), which was copied from `.env.development`.
 */
export function checkPublicAddresses(environment: Record<string, string | undefined>): string[] {
  return Object.entries(LACKING).flatMap(([name, lacking]) => {
    const value = environment[name];
    if (value && /\.example\b/.test(value)) throw new UserError(`${name} is an example: ${value}`);
    return value ? [] : [`${name} is not set: ${lacking}`];
  });
}
