// Runs after every installation: npm 10 removes node_modules/.bin/node together with the packages for other systems, and
// then npx would start our tools, above all wrangler, with the Node on the PATH.
import { existsSync, symlinkSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBundledNode } from './find-node.mjs';

const link = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));
const node = findBundledNode();
if (node && process.platform !== 'win32' && !existsSync(link)) symlinkSync(relative(dirname(link), node), link);
