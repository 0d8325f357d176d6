import { isMain } from '#scripts/command/command.ts';
import {
  areApart,
  buildLists,
  checkContradictions,
  checkEntries,
  entryPhrases,
  type Finding,
  findRepeated,
  idsOf,
  type NumberedLine,
  numberedLines,
  type ReadList,
} from '#scripts/lexicon/check-entries.ts';
import { readList } from '#scripts/lexicon/pack-lexicon.ts';
import {
  type BuiltLexicon,
  buildLexicon,
  GLOSSARY_LISTS,
  type ListName,
} from '#worker/matching/lexicon/build-lexicon.ts';
import { sensesAt } from '#worker/matching/lexicon/lexicon-types.ts';
import { GLOSSARY_CLASSES, splitWords } from '#worker/matching/lexicon/read-lists.ts';
import { adjectiveStem } from '#worker/matching/words/morphology.ts';
import { phraseShapes } from '#worker/matching/words/tokens.ts';

/** Finds all problems in the lexicon's lists that no other check would notice. */
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

type GlossaryLine = NumberedLine & { list: ListName };

function checkGlossary(read: ReadList): Finding[] {
  const lines = GLOSSARY_LISTS.flatMap((list) =>
    numberedLines(read(list)).map((line): GlossaryLine => ({ ...line, list })),
  );
  return [...lines.flatMap(checkLine), ...checkRepeated(lines)];
}

function checkLine({ list, line, content }: GlossaryLine): Finding[] {
  const columns = content.split('|').map((column) => column.trim());
  const [english = '', swahili = '', name = ''] = columns;
  const finding = (says: string): Finding => ({ list, line, says, isError: true });
  if (columns.length !== 3)
    return [finding(`"${content}" has ${columns.length} columns and not "english | swahili | class".`)];
  return [
    ...(splitWords(english).length === 0 ? [finding(`"${swahili}" has no English word.`)] : []),
    ...(splitWords(swahili).length === 0 ? [finding(`"${english}" has no Swahili word.`)] : []),
    ...(GLOSSARY_CLASSES.includes(name)
      ? []
      : [finding(`"${name}" is no class: it is none of ${GLOSSARY_CLASSES.join(', ')}.`)]),
  ];
}

/** Reports lines of the glossary that occur twice, in one list or in two lists. */
function checkRepeated(lines: GlossaryLine[]): Finding[] {
  const places = new Map(lines.map(({ list, line }, at) => [at + 1, `${list}.txt:${line}`]));
  const counted = lines.map((line, at) => ({ ...line, place: line.line, line: at + 1 }));
  return findRepeated(counted, ({ content }) => content.replace(/\s*([,|])\s*/g, '$1')).map(({ value, firstLine }) => ({
    list: value.list,
    line: value.place,
    says: `"${value.content}" stands at ${places.get(firstLine) ?? ''} already.`,
    isError: true,
  }));
}

/**
 * Reports invalid words in the list of opposites. Each line of this list contains meanings that exclude each other,
 * such as "new | old". A word is invalid if the lexicon does not know the word, or if the word has two of the meanings
 * that exclude each other.
 */
function checkOpposites(read: ReadList): Finding[] {
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

/**
 * Warns if a phrase that is listed for one thing can also be read as another thing with a quality. For example, if
 * "round net" is listed for the mosquito net, every round net is read as a mosquito net, without the quality "round".
 * This is no error, because the phrase may be intended.
 */
function checkSwallowed(read: ReadList): Finding[] {
  const lexicon = buildLists(read);
  return entryPhrases('thing', read).flatMap(({ id, line, words }) => {
    const [swallowed] = nameAndQuality(lexicon, words).filter(({ thing }) => areApart(lexicon.things, id, thing));
    if (swallowed === undefined) return [];
    const { thing, quality } = swallowed;
    const says = `"${words.join(' ')}" of "${id}" is the name of "${thing}" and the quality "${quality}", which is lost.`;
    return [{ list: 'things' as const, line, says, isError: false }];
  });
}

/** Returns all ways to read the words as a thing's name and a quality, in either order. */
function nameAndQuality(lexicon: BuiltLexicon, words: string[]): Array<{ thing: string; quality: string }> {
  return words.slice(1).flatMap((_, at) => {
    const [first, second] = [words.slice(0, at + 1), words.slice(at + 1)];
    const readAs = (name: string[], quality: string[]): Array<{ thing: string; quality: string }> =>
      isQuality(lexicon, quality)
        ? idsOf(lexicon, name, 'thing').map((thing) => ({ thing, quality: quality.join(' ') }))
        : [];
    return [...readAs(first, second), ...readAs(second, first)];
  });
}

/** Whether the words are a quality that another quality can contradict, such as red, small or leather. */
function isQuality(lexicon: BuiltLexicon, words: string[]): boolean {
  const [word = ''] = words;
  const stem = words.length === 1 ? adjectiveStem(word, lexicon.adjectiveStems) : null;
  return [words, ...(stem === null ? [] : [[stem]])].some(
    (shape) =>
      idsOf(lexicon, shape, 'thing').length === 0 &&
      (idsOf(lexicon, shape, 'colour').length > 0 ||
        idsOf(lexicon, shape, 'attribute').some((id) => lexicon.attributes.get(id)?.isExclusive)),
  );
}
