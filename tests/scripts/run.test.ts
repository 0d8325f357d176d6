import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';

// Each starts a Node or two, which a busy machine takes its time for.
vi.setConfig({ testTimeout: 60_000 });

const RUN = join(PROJECT_ROOT, 'scripts/run.mjs');
const FOREIGN = { PATH: '/usr/bin:/bin' };

/** As npm does on a machine whose own Node is another: nothing of node_modules/.bin is in the PATH. */
async function run(...args: string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, [RUN, ...args], { env: FOREIGN });
  return stdout.trim();
}

test('a script, and what it starts by name, runs on the same Node as its tests', async () => {
  const node = await run('--print', 'process.execPath');
  expect(node).toBe(process.execPath);
  expect(await run('--print', 'process.env.PATH')).toBe(`${dirname(node)}${delimiter}${FOREIGN.PATH}`);
  expect(await run('--print', "child_process.execFileSync('node', ['-p', 'process.execPath']) + ''")).toBe(node);
});

test('a tool is found by the manifest of its package', async () => {
  expect(await run('tsc', '--version')).toMatch(/^Version \d/);
  expect(await run('playwright', '--version')).toMatch(/^Version \d/);
  await expect(run('no-such-tool')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('npm ci') });
});

test('arguments and the exit code pass through', async () => {
  expect(await run('--print', 'process.argv.slice(1)', '--', 'two words', '--flag')).toBe("[ 'two words', '--flag' ]");
  await expect(run('--eval', 'process.exit(7)')).rejects.toMatchObject({ code: 7 });
});

test('a signal reaches the script, and its own way of ending is what the caller sees', async () => {
  const wait = "process.on('SIGTERM', () => process.exit(3)); setInterval(() => {}, 1000); console.log('ready')";
  const child = spawn(process.execPath, [RUN, '--eval', wait], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([3, null]);
});
