import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { isPackedLexicon, LEXICON_FOLDER, packLexiconOfSources } from '#scripts/lexicon/pack-lexicon.ts';
import { runOneAtATime } from './run-one-at-a-time.ts';

/** Packs the lexicon, and again whenever one of its files changes, which a watching server notices. */
export function watchLexicon(): void {
  packLexiconOfSources();
  // In a separate process, so that changed code is loaded, too. Editors save in several steps; only the last one counts.
  const pack = runOneAtATime(async () => {
    await once(
      spawn(process.execPath, [join(PROJECT_ROOT, 'scripts/lexicon/pack-lexicon.ts')], { stdio: 'inherit' }),
      'exit',
    );
  });
  watch(LEXICON_FOLDER, { recursive: true, persistent: false }, (_, name) => {
    if (!isPackedLexicon(name ?? '')) pack();
  });
}
