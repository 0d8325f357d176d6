import { localeOf } from '#contract/language.ts';
import type { MatchReason } from '#contract/posts.ts';
import { getLexicon } from './lexicon.ts';
import type { Labels } from './lexicon-types.ts';

/** Reasons that have a fixed text. */
const WORDS_OF_KIND = {
  same_identifier: { en: 'the same number', sw: 'namba ileile' },
  named_by_finder: { en: 'named by the finder', sw: 'limetajwa na aliyekiokota' },
} as const satisfies Partial<Record<MatchReason['kind'], Labels>>;

/**
 * Why two posts match, in a form that is stored in the database and does not depend on the language. Contains the key
 * of a lexicon entry (`thing phone`, as in `Detail`), a text that is the same in every language, or the day in the
 * finder's post. A reason with a fixed text contains only its kind.
 */
export type Reason =
  | ({ kind: MatchReason['kind'] } & ({ key: string } | { text: string } | { day: string }))
  | { kind: keyof typeof WORDS_OF_KIND };

/** Converts stored reasons into texts in both languages. @param stored a JSON array of reasons. */
export function wordReasons(stored: string): MatchReason[] {
  return (JSON.parse(stored) as Reason[]).flatMap(wordReason);
}

/** Returns the reason's text in both languages, or an empty array if the lexicon no longer has the reason's entry. */
export function wordReason({ kind, ...said }: Reason): MatchReason[] {
  if ('text' in said) return [{ kind, en: said.text, sw: said.text }];
  if ('day' in said) return [{ kind, en: showDay(said.day, localeOf('en')), sw: showDay(said.day, localeOf('sw')) }];
  const labels = 'key' in said ? labelsOf(said.key) : WORDS_OF_KIND[kind as keyof typeof WORDS_OF_KIND];
  return labels === undefined ? [] : [{ kind, ...labels }];
}

function labelsOf(key: string): Labels | undefined {
  const { things, colours, attributes, concepts } = getLexicon();
  const lists: Record<string, ReadonlyMap<string, { labels: Labels }>> = {
    thing: things,
    colour: colours,
    attribute: attributes,
    concept: concepts,
  };
  const space = key.indexOf(' ');
  return lists[key.slice(0, space)]?.get(key.slice(space + 1))?.labels;
}

function showDay(day: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(day));
}
