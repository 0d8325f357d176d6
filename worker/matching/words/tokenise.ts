export type Token = {
  /** Folded: lower case, no diacritics, no apostrophes. */
  text: string;
  /** As typed. */
  raw: string;
  isCapital: boolean;
  /** The punctuation and line breaks between the token before and this one; '' when there was only space. */
  gap: string;
};

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’‘`´][\p{L}\p{N}]+)*/gu;

export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/['’‘`´]s\b/g, '')
    .replace(/['’‘`´]/g, '');
}

/**
 * Replaces each run of white space by a line break or a space. The expressions of reading accept one white-space character
 * where they accept any: repetitions of white space side by side would take cubic time on a long run.
 */
export function foldSpace(text: string): string {
  return text.replace(/\s+/g, (run) => (run.includes('\n') ? '\n' : ' '));
}

export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    const raw = match[0];
    const folded = foldText(raw);
    const gap = text.slice(end, match.index).replace(/[^\S\n]+/g, '');
    end = match.index + raw.length;
    if (folded !== '') tokens.push({ text: folded, raw, isCapital: /^\p{Lu}/u.test(raw), gap });
  }
  return tokens;
}
