import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import type { Sense } from '#worker/matching/lexicon/lexicon-types.ts';
import { knownForms } from './word-alternatives.ts';

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
