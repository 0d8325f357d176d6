export type Lang = 'en' | 'sw' | 'any';

export type LexiconEntry = {
  id: string;
  parent: string | null;
  columns: string[][];
  line: number;
};

/** `id < parent | a, b | c, d`: one entry a line, `#` opens a comment. */
export function parseEntries(text: string): LexiconEntry[] {
  const entries: LexiconEntry[] = [];
  eachLine(text, (content, line) => {
    if (content.startsWith('[')) return;
    const [head = '', ...rest] = content.split('|');
    const [id = '', parent = ''] = head.split('<').map((part) => part.trim());
    entries.push({ id, parent: parent === '' ? null : parent, columns: rest.map(splitWords), line });
  });
  return entries;
}

export type LexiconSection = { name: string; words: string[]; entries: LexiconEntry[] };

/** Files in sections: `[name]`, then lines of words (or of entries) up to the next section. */
export function parseSections(text: string): LexiconSection[] {
  const sections: LexiconSection[] = [];
  let body: string[] = [];
  const close = (): void => {
    const section = sections.at(-1);
    if (section === undefined) return;
    section.words = body.flatMap(splitWords);
    section.entries = parseEntries(body.join('\n'));
  };
  eachLine(text, (content) => {
    if (content.startsWith('[')) {
      close();
      body = [];
      sections.push({ name: content.slice(1, content.indexOf(']')).trim(), words: [], entries: [] });
    } else body.push(content);
  });
  close();
  return sections;
}

export function splitWords(column: string): string[] {
  return column
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function eachLine(text: string, visit: (content: string, line: number) => void): void {
  text.split('\n').forEach((raw, index) => {
    const hash = raw.indexOf('#');
    const content = (hash < 0 ? raw : raw.slice(0, hash)).trim();
    if (content !== '') visit(content, index + 1);
  });
}
