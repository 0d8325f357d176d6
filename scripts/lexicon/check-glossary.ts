import { GLOSSARY_LISTS, type ListName } from '#worker/matching/lexicon/build-lexicon.ts';
import { splitWords } from '#worker/matching/lexicon/lexicon-format.ts';
import { GLOSSARY_CLASSES } from '#worker/matching/lexicon/read-glossary.ts';
import { type Finding, findRepeated, type NumberedLine, numberedLines, type ReadList } from './list-lines.ts';

type GlossaryLine = NumberedLine & { list: ListName };

export function checkGlossary(read: ReadList): Finding[] {
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

/** Names lines for repetitions within a list, and the lists for repetitions across several. */
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
