import { FALLBACK_LANGUAGE, type Language } from '#contract/language.ts';
import type { FullKey, Namespace, TextKey } from './text-keys.ts';

/** What is filled into a text's placeholders, such as `{title}`; `count` also chooses between singular and plural. */
type Values = Record<string, string | number | null | undefined>;
type AnyTranslate = (key: string, values?: Values) => string;

/** Translates the keys of one namespace; keys of the others carry their namespace, as in `posts:title`. */
export type Translate<First extends Namespace, Others extends Namespace = never> = (
  key: TextKey<First> | FullKey<First | Others>,
  values?: Values,
) => string;

/** Replaced as a whole when the language changes, so that React can compare it. */
type Current = { language: Language; translators: Partial<Record<Namespace, AnyTranslate>> };

const texts = new Map<string, object>();
const pluralRules: Partial<Record<Language, Intl.PluralRules>> = {};
const listeners = new Set<() => void>();
let current: Current = { language: FALLBACK_LANGUAGE, translators: {} };

export function addNamespace(language: Language, namespace: string, added: object): void {
  texts.set(`${language}:${namespace}`, added);
}

export function setLanguage(language: Language): void {
  current = { language, translators: {} };
  for (const listener of [...listeners]) listener();
}

export function onLanguageChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function getCurrent(): Current {
  return current;
}

export function translate(key: FullKey, values?: Values): string {
  return translatorOf('common')(key, values);
}

/** @returns the same function for a namespace until the language changes. */
export function translatorOf(namespace: Namespace): AnyTranslate {
  current.translators[namespace] ??= makeTranslator(current.language, namespace);
  return current.translators[namespace];
}

export function translatorIn<First extends Namespace>(language: Language, namespace: First): Translate<First> {
  return makeTranslator(language, namespace);
}

/** A key without a text is returned as it is: the compiler checks every key, so the text is only not loaded yet. */
function makeTranslator(language: Language, ownNamespace: Namespace): AnyTranslate {
  return (key, values = {}) => {
    const [path = '', namespace = ownNamespace] = key.split(':').reverse();
    const candidates = pathsOf(path, values.count, language);
    const found = candidates.map((candidate) => find(texts.get(`${language}:${namespace}`), candidate));
    const text = found.find((one) => one !== undefined) ?? path;
    return text.replace(/\{(\w+)\}/g, (_, name: string) => isolate(String(values[name] ?? '')));
  };
}

/** The forms of a count first. `_zero` works in every language, also in those whose plural rules do not have it. */
function pathsOf(path: string, count: Values[string], language: Language): string[] {
  if (typeof count !== 'number') return [path];
  pluralRules[language] ??= new Intl.PluralRules(language);
  const counted = [`${path}_${pluralRules[language].select(count)}`, path];
  return count === 0 ? [`${path}_zero`, ...counted] : counted;
}

function find(namespace: object | undefined, path: string): string | undefined {
  const found = path.split('.').reduce<unknown>((part, name) => Object(part)[name], namespace);
  return typeof found === 'string' ? found : undefined;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Keeps what people wrote in Arabic letters from turning around our sentences (Unicode's FSI and PDI). */
function isolate(words: string): string {
  return RIGHT_TO_LEFT.test(words) ? `\u2068${words}\u2069` : words;
}
