import { isMain } from '#scripts/command/is-main.ts';
import { readList } from '#scripts/lexicon/pack-lexicon.ts';
import { checkContradictions } from './lexicon/check-contradictions.ts';
import { checkEntries } from './lexicon/check-entries.ts';
import { checkGlossary } from './lexicon/check-glossary.ts';
import { checkOpposites } from './lexicon/check-opposites.ts';
import { checkSwallowed } from './lexicon/check-swallowed.ts';
import type { Finding, ReadList } from './lexicon/list-lines.ts';

/** All problems in the lists that would otherwise go unnoticed. */
export function checkLexicon(read: ReadList): Finding[] {
  return [checkEntries, checkContradictions, checkSwallowed, checkGlossary, checkOpposites].flatMap((check) =>
    check(read),
  );
}

if (isMain(import.meta)) {
  const findings = checkLexicon(readList);
  const errors = findings.filter(({ isError }) => isError);
  const warnings = findings.filter(({ isError }) => !isError);
  const show = ({ list, line, says }: Finding): string => `worker/matching/lexicon/${list}.txt:${line}: ${says}`;
  const isVerbose = process.argv.includes('--warnings');
  if (isVerbose) for (const warning of warnings) console.warn(`warning: ${show(warning)}`);
  for (const error of errors) console.error(show(error));
  console.log(
    `Checked the lexicon: ${errors.length} errors, ${warnings.length} warnings${isVerbose ? '' : ' (--warnings lists them)'}.`,
  );
  process.exitCode = errors.length > 0 ? 1 : 0;
}
