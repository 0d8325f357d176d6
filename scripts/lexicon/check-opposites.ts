import { buildLexicon } from '#worker/matching/lexicon/build-lexicon.ts';
import { splitWords } from '#worker/matching/lexicon/lexicon-format.ts';
import { sensesAt } from '#worker/matching/lexicon/phrase-tree.ts';
import { phraseShapes } from '#worker/matching/words/phrase-tokens.ts';
import { type Finding, numberedLines, type ReadList } from './list-lines.ts';

/** A word gives the answer of one of its meanings: without one, or with none of that answer alone, it gives none. */
export function checkOpposites(read: ReadList): Finding[] {
  const { phrases, opposites } = buildLexicon(read);
  const answers = (word: string, answer: ReadonlySet<string> | undefined): boolean =>
    sensesAt({ root: phrases }, phraseShapes(word, 'en')[0] ?? []).some(({ kind, id }) => answer?.has(`${kind} ${id}`));
  return numberedLines(read('opposites')).flatMap(({ line, content }, question) =>
    content.split('|').flatMap((words, at) =>
      splitWords(words)
        .filter((word) => !answers(word, opposites[question]?.[at]))
        .map((word) => ({
          list: 'opposites',
          line,
          says: `"${word}" gives no answer: no list knows it, or it means another answer as well.`,
          isError: true,
        })),
    ),
  );
}
