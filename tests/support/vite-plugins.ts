import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const REAL = 'N: 2 ** 15, r: 8, p: 3';
/** Differs from the cost in `cheap-hash.ts`, so that hashes from that file count as outdated. */
const CHEAP = 'N: 2 ** 11, r: 8, p: 1';

/**
 * Makes hashing a password about fifty times cheaper, because hundreds of tests sign in. Test files that run isolated
 * (`vitest.config.ts`) use the real cost.
 */
export function cheapPasswordsPlugin(): Plugin {
  return {
    name: 'cheap-passwords',
    // Runs before Vite removes the types, because that step also reformats the line that contains `REAL`.
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/worker/accounts/password.ts')) return null;
      if (!code.includes(REAL)) throw new Error(`${id} has no cost "${REAL}" for the tests to lower.`);
      return code.replace(REAL, CHEAP);
    },
  };
}

/** Lets Vite import text files, as wrangler does by default: `import text from './x.txt'`. */
export function textModulesPlugin(): Plugin {
  return {
    name: 'text-modules',
    enforce: 'pre',
    async load(id) {
      const path = id.split('?')[0] ?? id;
      if (!path.endsWith('.txt')) return null;
      return `export default ${JSON.stringify(await readFile(path, 'utf8'))}`;
    },
  };
}
