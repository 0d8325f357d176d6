import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { packLexiconOfSources } from '#scripts/lexicon/pack-lexicon.ts';

packLexiconOfSources();

// Lets Node import text files, as wrangler does with modules of the type Text. A script imports this file first, and
// then uses `import()` to load the code that needs the lexicon.
registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('.txt')) return nextLoad(url, context);
    const text = readFileSync(fileURLToPath(url), 'utf8');
    return { format: 'module', shortCircuit: true, source: `export default ${JSON.stringify(text)}` };
  },
});
