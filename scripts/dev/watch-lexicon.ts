import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { isPackedLexicon, LEXICON_FOLDER, packLexiconOfSources } from '#scripts/lexicon/pack-lexicon.ts';

/** Packs the lexicon, and again whenever one of its files changes: a server that watches sees the packed one change. */
export function watchLexicon(): void {
  packLexiconOfSources();
  // In a process of its own, which reads changed code too; an editor saves in several steps, the last of which counts.
  let isRunning = false;
  let isChanged = false;
  const pack = (): void => {
    isChanged = isRunning;
    if (isRunning) return;
    isRunning = true;
    spawn(process.execPath, [join(PROJECT_ROOT, 'scripts/lexicon/pack-lexicon.ts')], { stdio: 'inherit' }).on(
      'exit',
      () => {
        isRunning = false;
        if (isChanged) pack();
      },
    );
  };
  watch(LEXICON_FOLDER, { recursive: true, persistent: false }, (_, name) => {
    if (!isPackedLexicon(name ?? '')) pack();
  });
}
