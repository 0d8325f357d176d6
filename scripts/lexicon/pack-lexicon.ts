import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, PROJECT_ROOT } from '#scripts/command/command.ts';
import { buildLexicon, type ListName } from '#worker/matching/lexicon/build-lexicon.ts';
import { packLexicon } from '#worker/matching/lexicon/packed-lexicon.ts';

export const LEXICON_FOLDER = join(PROJECT_ROOT, 'worker/matching/lexicon');
const PACKED = join(LEXICON_FOLDER, 'packed.txt');
/** The Worker does not load this list, so the lexicon is not packed again when the list changes. */
const UNPACKED = join(LEXICON_FOLDER, 'two-meanings.txt');
/** The sources of the lexicon: the lists, and the code that reads the lists. */
const SOURCES = 'worker/matching/{lexicon/**/*.{ts,txt},words/*.ts}';

/** Packs the lexicon that the Worker loads, unless the packed file is up to date. */
export function packLexiconOfSources(): void {
  const version = versionOfSources();
  if (existsSync(PACKED) && readFileSync(PACKED, 'utf8').startsWith(`${version}\n`)) return;
  // Writes to a temporary file and renames the file at the end, because another process may be reading the packed
  // lexicon.
  const unfinished = `${PACKED}.${process.pid}`;
  writeFileSync(unfinished, packLexicon(buildLexicon(readList), version));
  renameSync(unfinished, PACKED);
}

export function readList(name: ListName | 'two-meanings'): string {
  return readFileSync(join(LEXICON_FOLDER, `${name}.txt`), 'utf8');
}

/** The length of the lexicon's version. The version is short, because it is stored with each analysed post. */
const VERSION_CHARS = 12;

function versionOfSources(): string {
  const hash = createHash('sha256');
  for (const path of globSync(SOURCES, { cwd: PROJECT_ROOT }).sort()) {
    const file = join(PROJECT_ROOT, path);
    if (![PACKED, UNPACKED].includes(file)) hash.update(path).update(readFileSync(file));
  }
  return hash.digest('base64url').slice(0, VERSION_CHARS);
}

if (isMain(import.meta)) packLexiconOfSources();
