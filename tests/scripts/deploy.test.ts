import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { withLocalDatabase } from '#scripts/database/local-database.ts';
import { BOOKMARK, startCloudflareApi } from '#tests/support/cloudflare-api.ts';
import { startStandInWorker, type WorkerOptions } from '#tests/support/stand-in-worker.ts';

vi.setConfig({ testTimeout: 300_000 });

const BOOKMARK_ASKED = /time_travel/;
const TABLES_MADE = /CREATE TABLE `communities`/;
const VERSION_SENT = /POST .*\/versions$/;
const WORKER_PUT = /PUT .*\/scripts\/patikana-staging$/;
const CRONS_SET = /PUT .*\/schedules$/;
const ALL_STEPS = ['old 100, new 0', 'old 90, new 10', 'old 50, new 50', 'new 100'];
const VERSION_WAY_BACK = /npx wrangler rollback 11111111-1111-4111-8111-111111111111 --yes --env=staging/;
const DATABASE_WAY_BACK = `wrangler d1 time-travel restore DB --bookmark=${BOOKMARK}`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'patikana-deploy-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type DeployOptions = { refuse?: RegExp; args?: string[]; worker?: WorkerOptions };

/** Deploys to the staging environment of a stand-in account that has an empty database, by the real wrangler. */
async function deploy({ refuse, args = [], worker: options }: DeployOptions = {}) {
  return withLocalDatabase(folder, async (db) => {
    const worker = await startStandInWorker(options);
    const api = await startCloudflareApi(db, refuse, worker);
    const env = { ...process.env, ...api.env, WRANGLER_LOG_PATH: folder };
    const command = ['scripts/deploy.ts', '--url', worker.origin, '--env', 'staging', '--pause', '0', ...args];
    const child = spawn(process.execPath, command, { cwd: PROJECT_ROOT, env });
    const ended = once(child, 'exit');
    const printed = (await Promise.all([text(child.stdout), text(child.stderr)])).join('\n');
    const [code] = await ended;
    api.close();
    worker.close();
    const when = (request: RegExp) => api.asked.findIndex((line) => request.test(line));
    return { code, printed, when, deployed: worker.deployed, last: printed.trim().split('\n').slice(-3).join('\n') };
  });
}

test('a deployment takes a bookmark, migrates, and gives the version to more and more people', async () => {
  const { code, printed, when, deployed } = await deploy();
  expect(code, printed).toBe(0);
  expect(when(BOOKMARK_ASKED)).toBeGreaterThanOrEqual(0);
  expect(when(TABLES_MADE)).toBeGreaterThan(when(BOOKMARK_ASKED));
  expect(when(VERSION_SENT)).toBeGreaterThan(when(TABLES_MADE));
  expect(deployed).toEqual(ALL_STEPS);
  expect(when(CRONS_SET)).toBeGreaterThan(when(VERSION_SENT));
  expect(when(WORKER_PUT)).toBe(-1);
  // After each step: the new version where nobody has it, both where some have it, and the app in the end.
  expect(printed.match(/All is as it should be/g)).toHaveLength(6);
  expect(printed.indexOf(DATABASE_WAY_BACK)).toBeGreaterThanOrEqual(0);
  expect(printed.indexOf('Migrations to be applied')).toBeGreaterThan(printed.indexOf(DATABASE_WAY_BACK));
});

test('a version that fails at ten percent goes no further, and both ways back are the last that is said', async () => {
  const { code, last, deployed } = await deploy({ worker: { isSickFrom: 10 } });
  expect(code).toBe(1);
  expect(deployed).toEqual(ALL_STEPS.slice(0, 2));
  expect(last).toContain('The smoke test failed.');
  expect(last).toMatch(VERSION_WAY_BACK);
  expect(last).toContain(DATABASE_WAY_BACK);
});

test('with --roll-back-on-failure everybody has the version of before again', async () => {
  const args = ['--at-once', '--roll-back-on-failure'];
  const { code, last, deployed } = await deploy({ worker: { isSickFrom: 100 }, args });
  expect(code).toBe(1);
  expect(deployed).toEqual(['old 100, new 0', 'new 100', 'old 100']);
  expect(last).toContain('Everybody has the version of before again');
});

test("a change of the objects' classes goes to all at once, and is said to have no way back but the database's", async () => {
  const { code, printed, deployed, last } = await deploy({ worker: { migrationTag: 'v0', isSickFrom: 100 } });
  expect(printed).toContain("This release changes the objects' classes");
  expect(deployed).toEqual(['new 100']);
  expect(code).toBe(1);
  expect(last).toContain('There is no way back past a change');
  expect(last).not.toContain('wrangler rollback');
});

test('the first version is put in place at once', async () => {
  const { code, printed, when } = await deploy({ worker: { isThere: false } });
  expect(code, printed).toBe(0);
  expect(when(WORKER_PUT)).toBeGreaterThan(when(TABLES_MADE));
  expect(when(VERSION_SENT)).toBe(-1);
});

test('without a bookmark nothing is migrated and nothing deployed', async () => {
  const { code, printed, when, deployed } = await deploy({ refuse: BOOKMARK_ASKED });
  expect(code).toBe(1);
  expect(printed).toContain('The stand-in refuses.');
  expect([when(TABLES_MADE), when(VERSION_SENT), deployed]).toEqual([-1, -1, []]);
});

test('after a migration that failed nothing is deployed, and the way back is the last that is said', async () => {
  const { code, when, deployed, last } = await deploy({ refuse: /CREATE VIRTUAL TABLE/ });
  expect(code).toBe(1);
  expect(when(TABLES_MADE)).toBeGreaterThan(when(BOOKMARK_ASKED));
  expect([when(VERSION_SENT), deployed]).toEqual([-1, []]);
  expect(last).toContain('A migration failed, so nothing was deployed.');
  expect(last.split('\n').at(-1)).toContain(BOOKMARK);
});

test('a dry run says every step and asks for nothing', async () => {
  const { code, printed, when } = await deploy({ args: ['--dry-run'] });
  expect(code, printed).toBe(0);
  expect(when(/./)).toBe(-1);
  const commands = printed.split('\n').filter((line) => line.startsWith('$ '));
  expect(commands.filter((line) => line.includes('versions deploy'))).toEqual(
    ['OLD@100% NEW@0%', 'OLD@90% NEW@10%', 'OLD@50% NEW@50%', 'NEW@100%'].map(
      (split) => `$ npx wrangler versions deploy ${split} --yes --env=staging`,
    ),
  );
  expect(commands.at(-1)).toMatch(/^\$ npm run smoke/);
});
