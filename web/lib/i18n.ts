import i18next from 'i18next';
import LanguageDetector from 'i18next-browser-languagedetector';
import { initReactI18next } from 'react-i18next';
import { FALLBACK_LANGUAGE, isLanguage, LANGUAGES, type Language } from '#contract/language.ts';
import { byLanguage } from './by-language.ts';

type Texts = Record<string, object>;

/** A language is two chunks, loaded when they are needed: what the first visit reads, and what the other screens do. */
const firstTexts = byLanguage(import.meta.glob<Texts>('#web/locales/*/first.ts', { import: 'firstResources' }));
const screenTexts = byLanguage(import.meta.glob<Texts>('#web/locales/*/index.ts', { import: 'resources' }));

let wantsScreens = false;

/** Starts with the stored choice (`i18nextLng`), then the browser's languages, then English (specification §1). */
export async function startI18n(): Promise<void> {
  i18next.use(LanguageDetector).use(initReactI18next);
  i18next.on('languageChanged', (language) => {
    if (typeof document !== 'undefined') document.documentElement.lang = language;
  });
  await i18next.init({
    resources: {},
    partialBundledLanguages: true,
    supportedLngs: LANGUAGES,
    nonExplicitSupportedLngs: true,
    load: 'languageOnly',
    fallbackLng: false,
    defaultNS: 'common',
    detection: { order: ['localStorage', 'navigator'], caches: ['localStorage'], lookupLocalStorage: 'i18nextLng' },
    // React escapes by itself.
    interpolation: { prefix: '{', suffix: '}', escapeValue: true, escape: isolate },
    react: { useSuspense: false },
  });
  await changeLanguage(currentLanguage());
}

const RUNS_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** What people wrote in Arabic letters keeps to itself in our sentences, which run the other way (Unicode's FSI and PDI). */
function isolate(words: string): string {
  return RUNS_LEFT.test(words) ? `\u2068${words}\u2069` : words;
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
  const loadWanted = async () => (wantsScreens ? screenTexts[language]() : {});
  const texts = await Promise.all([firstTexts[language](), loadWanted()]);
  // A screen may have been opened while these were on their way.
  for (const sentencesOf of [...texts, await loadWanted()]) {
    for (const [namespace, sentences] of Object.entries(sentencesOf)) {
      i18next.addResourceBundle(language, namespace, sentences);
    }
  }
}

export function currentLanguage(): Language {
  const language = (i18next.resolvedLanguage ?? i18next.language)?.split('-')[0];
  return isLanguage(language) ? language : FALLBACK_LANGUAGE;
}
