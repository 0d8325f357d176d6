// Runs after every installation, so that npx starts wrangler and other tools on the Node that npm scripts use. npm
// links the Node package into node_modules/.bin, where it hides a recent Node of the machine. npm 10 removes this link
// together with the packages for other systems, although an older Node needs it.
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBundledNode, isOwnNodeRecent } from './find-node.mjs';

const link = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));
const bundled = findBundledNode();
if (isOwnNodeRecent(process.env)) {
  for (const suffix of ['', '.cmd', '.ps1']) rmSync(link + suffix, { force: true });
} else if (bundled && process.platform !== 'win32' && !existsSync(link)) {
  symlinkSync(relative(dirname(link), bundled), link);
}
