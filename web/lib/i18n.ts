import i18next from 'i18next';
import LanguageDetector from 'i18next-browser-languagedetector';
import { initReactI18next } from 'react-i18next';
import { FALLBACK_LANGUAGE, isLanguage, LANGUAGES, type Language } from '#worker/contract/language.ts';

/** A language is one chunk, loaded when it is needed. */
const loaders = {
  en: () => import('#web/locales/en/index.ts'),
  sw: () => import('#web/locales/sw/index.ts'),
} satisfies Record<Language, unknown>;

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
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
    react: { useSuspense: false },
  });
  await changeLanguage(currentLanguage());
}

export async function changeLanguage(language: Language): Promise<void> {
  const { resources } = await loaders[language]();
  for (const [namespace, texts] of Object.entries(resources)) i18next.addResourceBundle(language, namespace, texts);
  await i18next.changeLanguage(language);
}

export function currentLanguage(): Language {
  const language = (i18next.resolvedLanguage ?? i18next.language)?.split('-')[0];
  return isLanguage(language) ? language : FALLBACK_LANGUAGE;
}
