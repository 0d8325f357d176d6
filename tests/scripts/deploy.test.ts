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

vi.setConfig({ testTimeout: 180_000 });

const BOOKMARK_ASKED = /time_travel/;
const TABLES_MADE = /CREATE TABLE `communities`/;
const WORKER_PUT = /PUT .*\/scripts\/patikana$/;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'patikana-deploy-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Deploys to a stand-in account that has an empty database and no Worker, by the real wrangler. */
async function deploy({ refuse, args = [] }: { refuse?: RegExp; args?: string[] } = {}) {
  return withLocalDatabase(folder, async (db) => {
    const api = await startCloudflareApi(db, refuse);
    const env = { ...process.env, ...api.env, WRANGLER_LOG_PATH: folder };
    const child = spawn(process.execPath, ['scripts/deploy.ts', ...args], { cwd: PROJECT_ROOT, env });
    const ended = once(child, 'exit');
    const printed = (await Promise.all([text(child.stdout), text(child.stderr)])).join('\n');
    const [code] = await ended;
    api.close();
    const when = (request: RegExp) => api.asked.findIndex((line) => request.test(line));
    return { code, printed, when };
  });
}

test('a deployment takes a bookmark, then migrates, then puts the Worker in place', async () => {
  const { code, printed, when } = await deploy();
  expect(code, printed).toBe(0);
  expect(when(BOOKMARK_ASKED)).toBeGreaterThanOrEqual(0);
  expect(when(TABLES_MADE)).toBeGreaterThan(when(BOOKMARK_ASKED));
  expect(when(WORKER_PUT)).toBeGreaterThan(when(TABLES_MADE));
  const wayBack = printed.indexOf(`wrangler d1 time-travel restore DB --bookmark=${BOOKMARK}`);
  expect(wayBack).toBeGreaterThanOrEqual(0);
  expect(printed.indexOf('Migrations to be applied')).toBeGreaterThan(wayBack);
});

test('without a bookmark nothing is migrated and nothing deployed', async () => {
  const { code, printed, when } = await deploy({ refuse: BOOKMARK_ASKED });
  expect(code).toBe(1);
  expect(printed).toContain('The stand-in refuses.');
  expect([when(TABLES_MADE), when(WORKER_PUT)]).toEqual([-1, -1]);
});

test('after a migration that failed nothing is deployed, and the way back is the last that is said', async () => {
  const { code, printed, when } = await deploy({ refuse: /CREATE VIRTUAL TABLE/ });
  expect(code).toBe(1);
  expect(when(TABLES_MADE)).toBeGreaterThan(when(BOOKMARK_ASKED));
  expect(when(WORKER_PUT)).toBe(-1);
  expect(printed.trim().split('\n').at(-1)).toMatch(`A migration failed, so nothing was deployed.`);
  expect(printed.trim().split('\n').at(-1)).toContain(BOOKMARK);
});

test('a dry run asks for nothing', async () => {
  const { code, printed, when } = await deploy({ args: ['--dry-run'] });
  expect(code, printed).toBe(0);
  expect(when(/./)).toBe(-1);
});
