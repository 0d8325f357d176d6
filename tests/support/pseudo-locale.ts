const ACCENTED: Record<string, string> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ó',
  u: 'ú',
  A: 'Á',
  E: 'É',
  I: 'Í',
  O: 'Ó',
  U: 'Ú',
};

/**
 * Translates texts into an invented language: readable, accented, 40 % longer. Brackets show where a text is cut off.
 */
export function toPseudo<Texts>(texts: Texts): Texts {
  if (typeof texts === 'string') return pseudo(texts) as Texts;
  if (Array.isArray(texts)) return texts.map((text) => toPseudo(text)) as Texts;
  return Object.fromEntries(Object.entries(texts as object).map(([key, text]) => [key, toPseudo(text)])) as Texts;
}

function pseudo(text: string): string {
  // Placeholders in braces stay unchanged.
  const accented = text
    .split(/(\{[^}]*\})/)
    .map((part) => (part.startsWith('{') ? part : part.replace(/[aeiouAEIOU]/g, (vowel) => ACCENTED[vowel] ?? vowel)))
    .join('');
  const padding = 'ñ'.repeat(Math.ceil(text.length * 0.4));
  return `⟦${accented}${padding.replace(/.{8}/g, '$& ')}⟧`;
}
