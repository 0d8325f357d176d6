import i18next, { type FlatNamespace, type LanguageDetectorModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { FALLBACK_LANGUAGE, isLanguage, LANGUAGES, type Language } from '#contract/language.ts';

/**
 * The text files of the app's screens, one for each language and namespace. Texts that appear outside the screens, such
 * as in pushes, are in the folders `outside`.
 */
const files = import.meta.glob<object>('../../locales/*/*.json', { import: 'default' });

/** The key of the chosen language in local storage (docs/product.md A7). */
const STORED_LANGUAGE = 'i18nextLng';
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Uses the language that the page's first script has set on the document (scripts/build/first-paint-script.ts). During
 * the build there is no document, so i18next starts in English.
 */
const choice: LanguageDetectorModule = {
  type: 'languageDetector',
  detect: () => (typeof document === 'undefined' ? FALLBACK_LANGUAGE : document.documentElement.lang),
  cacheUserLanguage: storeChoice,
};

/**
 * Starts i18next in the user's language. The app loads the texts itself: an i18next backend would also load English for
 * Swahili users, and every screen would need React's Suspense. The build fills missing Swahili texts with English.
 */
export async function startI18n(): Promise<void> {
  await i18next
    .use(choice)
    .use(initReactI18next)
    .init({
      resources: {},
      supportedLngs: LANGUAGES,
      fallbackLng: FALLBACK_LANGUAGE,
      ns: [],
      defaultNS: 'common',
      interpolation: { prefix: '{', suffix: '}', escape: isolate },
    });
  await loadTexts('common');
}

function storeChoice(language: string): void {
  if (typeof document === 'undefined') return;
  document.documentElement.lang = language;
  try {
    localStorage.setItem(STORED_LANGUAGE, language);
  } catch {
    // The storage is forbidden: each visit chooses the language again.
  }
}

/** Loads the new language's texts for all namespaces in use, then changes the language. */
export async function changeLanguage(language: Language): Promise<void> {
  const loadedNow = () => Object.keys(i18next.getDataByLanguage(currentLanguage()) ?? {});
  let wanted: string[];
  do {
    wanted = loadedNow();
    await addTexts(language, wanted);
    // Repeats if a screen has opened in the meantime and loaded more namespaces.
  } while (loadedNow().length > wanted.length);
  await i18next.changeLanguage(language);
}

/** Loads the texts of these namespaces in the user's language. */
export async function loadTexts(...namespaces: FlatNamespace[]): Promise<void> {
  const language = currentLanguage();
  await addTexts(language, namespaces);
  // If the user has changed the language in the meantime, loads the texts again in the new language.
  if (currentLanguage() !== language) await loadTexts(...namespaces);
}

/** Loads the texts of these namespaces in every language, for printed sheets. */
export async function loadTextsInEachLanguage(...namespaces: FlatNamespace[]): Promise<void> {
  await Promise.all(LANGUAGES.map((language) => addTexts(language, namespaces)));
}

async function addTexts(language: Language, namespaces: readonly string[]): Promise<void> {
  const missing = namespaces.filter((namespace) => !i18next.hasResourceBundle(language, namespace));
  await Promise.all(
    missing.map(async (namespace) => {
      const path = `../../locales/${language}/${namespace}.json`;
      const texts = await files[path]?.();
      if (!texts) throw new Error(`${path} does not exist`);
      i18next.addResourceBundle(language, namespace, texts);
    }),
  );
}

export function currentLanguage(): Language {
  return isLanguage(i18next.language) ? i18next.language : FALLBACK_LANGUAGE;
}

/** Isolates Arabic or Hebrew content (Unicode's FSI and PDI), which would otherwise reorder the sentence. */
function isolate(words: string): string {
  return RIGHT_TO_LEFT.test(words) ? `\u2068${words}\u2069` : words;
}
