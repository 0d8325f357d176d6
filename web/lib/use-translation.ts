import { useSyncExternalStore } from 'react';
import type { Namespace } from './text-keys.ts';
import { getCurrent, onLanguageChange, type Translate, translatorOf } from './translate.ts';

/**
 * The texts of a component in the reader's language.
 * @param namespace whose keys need no prefix; further ones may follow, whose keys do: `posts:title`.
 */
export function useTranslation<First extends Namespace, Others extends Namespace = never>(
  namespace: First | [First, ...Others[]],
): { t: Translate<First, Others> } {
  useLanguage();
  return { t: translatorOf(typeof namespace === 'string' ? namespace : namespace[0]) };
}

/** Renders the component again when the reader changes the language. */
export function useLanguage(): void {
  useSyncExternalStore(onLanguageChange, getCurrent, getCurrent);
}
