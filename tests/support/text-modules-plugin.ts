import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

/** Gives Vite the Text modules that wrangler has by default: `import text from './x.txt'`. */
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
