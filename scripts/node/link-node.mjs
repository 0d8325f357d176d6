// Makes npx run wrangler and other tools with the same Node as npm scripts. Runs after every installation.
// npm links the project's Node package into node_modules/.bin, and npx prefers this link to the machine's Node. This
// script removes the link if the machine's Node is recent. Otherwise the script restores a missing link: npm 10 deletes
// the link when it deletes the Node packages for other systems.
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
