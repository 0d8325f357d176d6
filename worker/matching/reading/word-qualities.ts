import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import type { Sense } from '#worker/matching/lexicon/lexicon-types.ts';
import type { Token } from '#worker/matching/words/tokenise.ts';
import type { Element } from './item-mention.ts';
import { knownForms } from './word-alternatives.ts';

const INK = /^(?:paint|ink|marker|pen)$/;

/**
 * The colours or other qualities that a single word means wherever it stands. A Swahili noun that is a colour only by
 * way of speaking (maziwa is milk, and cream) is left out: in "chupa ya maziwa" it is no colour.
 */
export function plainQualities(word: string, kind: 'attribute' | 'colour'): string[] {
  const { phrases } = getLexicon();
  return knownForms(word).flatMap((form) => {
    // A noun class is no hint here: "make-up" is not the plural of "jike".
    if (form !== word && !/^[-*]/.test(form)) return [];
    const senses = phrases.next?.get(form)?.senses ?? [];
    return senses.filter((sense) => sense.kind === kind && isPlain(sense, form)).map((sense) => sense.id);
  });
}

function isPlain(sense: Sense, form: string): boolean {
  if (sense.lang === 'en' || form.startsWith('-')) return true;
  return ['for whom', 'age of whom'].includes(getLexicon().attributes.get(sense.id)?.group ?? '');
}

/** "Wameandikwa P kwa rangi nyekundu", "marked KH in red paint": the colour of what is written on it. */
export function isColourOfWriting(tokens: Token[], { start, end }: Pick<Element, 'start' | 'end'>): boolean {
  const [first, next] = [tokens[start], tokens[end]];
  const before = tokens[first?.text === 'rangi' ? start - 1 : start - 2];
  const isPaint = first?.text === 'rangi' || tokens[start - 1]?.text === 'rangi';
  return (isPaint && before?.text === 'kwa') || (next?.gap === '' && INK.test(next.text));
}
