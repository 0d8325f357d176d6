/** One entry of a file: `id < parent | a, b | c, d`, each column under the name that its reader gives it. */
export type LexiconEntry<Column extends string> = {
  id: string;
  parent: string | null;
  columns: Record<Column, string[]>;
};

export type LexiconSection = { name: string; lines: string[] };

/** What a file says: its lines without comments, which `#` opens. */
export function contentLines(text: string): string[] {
  return text.split('\n').flatMap((raw) => {
    const hash = raw.indexOf('#');
    const content = (hash < 0 ? raw : raw.slice(0, hash)).trim();
    return content === '' ? [] : [content];
  });
}

/** One entry a line; the columns are named in the order in which they stand, and one that is left out is empty. */
export function parseEntries<Column extends string>(lines: string[], names: readonly Column[]): LexiconEntry<Column>[] {
  return lines.map((line) => {
    const [head = '', ...cells] = line.split('|');
    const [id = '', parent = ''] = head.split('<').map((part) => part.trim());
    const columns = Object.fromEntries(names.map((name, at) => [name, splitWords(cells[at] ?? '')]));
    return { id, parent: parent === '' ? null : parent, columns: columns as Record<Column, string[]> };
  });
}

/** Files in sections: `[name]`, then the lines up to the next. */
export function parseSections(text: string): LexiconSection[] {
  const sections: LexiconSection[] = [];
  for (const line of contentLines(text)) {
    if (line.startsWith('[')) sections.push({ name: line.slice(1, line.indexOf(']')).trim(), lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

export function splitWords(column: string): string[] {
  return column
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
