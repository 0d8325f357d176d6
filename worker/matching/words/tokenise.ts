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
