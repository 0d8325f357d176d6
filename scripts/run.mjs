// node scripts/run.mjs SCRIPT.ts|TOOL [ARGUMENT]...: runs a script, or a tool from one of the project's dependencies.
// Uses the Node that runs this file if that Node is recent, else the Node that is a package of the project.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chooseNode, OLDEST_NODE } from './node/find-node.mjs';

const PARENT_CHECK_MS = 500;

const [name = '', ...rest] = process.argv.slice(2);
const own = { path: process.execPath, version: process.versions.node };
const node =
  chooseNode(own) ??
  fail(`Patikana needs Node ${OLDEST_NODE} or newer, and this is ${own.version}. Run "npm ci", which installs one.`);
// If the first argument is a file or an option of Node, Node gets all arguments unchanged. Otherwise the first argument
// is the name of a tool.
const args = /^-|\.m?[jt]s$/.test(name) ? [name, ...rest] : [toolPath(name), ...rest];
const env = { ...process.env, PATH: dirname(node) + delimiter + process.env.PATH };
const child = spawn(node, args, { stdio: 'inherit', env });

// In a terminal, Ctrl-C sends the signal to the child too. If this script also forwarded the signal, the child would
// receive it twice, and the second one stops the child without its clean-up.
process.on('SIGINT', () => {
  if (!process.stdin.isTTY) child.kill('SIGINT');
});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
if (process.env.npm_lifecycle_event) endWithParent();
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));

/**
 * Ends the child when the shell that started this script has ended: npm sends signals to this shell, which dies without
 * forwarding them.
 */
function endWithParent() {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) child.kill();
  }, PARENT_CHECK_MS).unref();
}

/**
 * Finds the tool's file in the manifest of its package. Does not use the links in node_modules/.bin, because these
 * links differ between npm versions and between operating systems.
 */
function toolPath(tool) {
  const { dependencies, devDependencies } = readManifest('..');
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    const folder = `../node_modules/${name}`;
    const { bin } = readManifest(folder);
    const file = typeof bin === 'string' && name === tool ? bin : bin?.[tool];
    if (file) return resolveHere(`${folder}/${file}`);
  }
  return fail(`No package here has a command "${tool}": run "npm ci".`);
}

function readManifest(folder) {
  try {
    return JSON.parse(readFileSync(resolveHere(`${folder}/package.json`), 'utf8'));
  } catch {
    // The package is not installed: the caller reports that the tool was not found.
    return {};
  }
}

function resolveHere(path) {
  return fileURLToPath(new URL(path, import.meta.url));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
