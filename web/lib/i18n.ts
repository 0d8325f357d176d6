import i18next, { type LanguageDetectorModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { FALLBACK_LANGUAGE, isLanguage, LANGUAGES, type Language } from '#contract/language.ts';
import { byLanguage } from './by-language.ts';

type Texts = Record<string, object>;

/** A language is two chunks: what the first visit reads, and what the other screens do. */
const firstTexts = byLanguage(import.meta.glob<Texts>('#web/locales/*/first.ts', { import: 'firstResources' }));
const screenTexts = byLanguage(import.meta.glob<Texts>('#web/locales/*/index.ts', { import: 'resources' }));

/** The key in local storage (docs/product.md A7). */
const STORED_LANGUAGE = 'i18nextLng';
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

let wantsScreens = false;

/** The page's first script has chosen already (scripts/build/first-paint-script.ts). The build renders without a document. */
const choice: LanguageDetectorModule = {
  type: 'languageDetector',
  detect: () => (typeof document === 'undefined' ? FALLBACK_LANGUAGE : document.documentElement.lang),
  cacheUserLanguage: storeChoice,
};

/**
 * Starts i18next in the reader's language. There is no backend: with one, i18next would also download English for every
 * reader of Swahili, and `useTranslation` would suspend, although no Suspense surrounds the screens. The build fills in
 * the English for a text that Swahili lacks.
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
  await addTexts(currentLanguage());
}

function storeChoice(language: string): void {
  if (typeof document === 'undefined') return;
  document.documentElement.lang = language;
  try {
    localStorage.setItem(STORED_LANGUAGE, language);
  } catch {
    // Without storage, each visit chooses the language again.
  }
}

export async function changeLanguage(language: Language): Promise<void> {
  await addTexts(language);
  await i18next.changeLanguage(language);
}

/** Loads the texts of every screen but the home page, in this language and in any that is chosen later. */
export async function loadScreenTexts(): Promise<void> {
  wantsScreens = true;
  await addTexts(currentLanguage());
}

async function addTexts(language: Language): Promise<void> {
  const loadWanted = async (): Promise<Texts> => (wantsScreens ? screenTexts[language]() : {});
  const texts = await Promise.all([firstTexts[language](), loadWanted()]);
  // A screen may have been opened while these were loading.
  for (const textsOf of [...texts, await loadWanted()]) {
    for (const [namespace, sentences] of Object.entries(textsOf)) {
      i18next.addResourceBundle(language, namespace, sentences);
    }
  }
}

export function currentLanguage(): Language {
  return isLanguage(i18next.language) ? i18next.language : FALLBACK_LANGUAGE;
}

/** Keeps Arabic words that people wrote from reordering the sentence around them (Unicode's FSI and PDI). */
function isolate(words: string): string {
  return RIGHT_TO_LEFT.test(words) ? `\u2068${words}\u2069` : words;
}
