import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Wrangler's own command: run with this Node, whatever the PATH holds. */
export const WRANGLER_PATH = join(
  dirname(createRequire(import.meta.url).resolve('wrangler/package.json')),
  'bin/wrangler.js',
);
