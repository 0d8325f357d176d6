import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { FALLBACK_LANGUAGE, isLanguage, LANGUAGES, type Language } from '#contract/language.ts';
import { byLanguage } from './by-language.ts';

type Texts = Record<string, object>;

/** A language is two chunks, loaded when they are needed: what the first visit reads, and what the other screens do. */
const firstTexts = byLanguage(import.meta.glob<Texts>('#web/locales/*/first.ts', { import: 'firstResources' }));
const screenTexts = byLanguage(import.meta.glob<Texts>('#web/locales/*/index.ts', { import: 'resources' }));

/** As the specification names it (§1). */
const STORED_LANGUAGE = 'i18nextLng';

let wantsScreens = false;

/** Starts with what the page's first script has chosen (scripts/build/first-paint-script.ts), and keeps what is chosen from then on. */
export async function startI18n(): Promise<void> {
  i18next.use(initReactI18next);
  i18next.on('languageChanged', keepChoice);
  await i18next.init({
    lng: firstLanguage(),
    resources: {},
    partialBundledLanguages: true,
    supportedLngs: LANGUAGES,
    fallbackLng: false,
    defaultNS: 'common',
    // React escapes by itself.
    interpolation: { prefix: '{', suffix: '}', escapeValue: true, escape: isolate },
    react: { useSuspense: false },
  });
  await changeLanguage(currentLanguage());
}

/** The build renders the pages where there is no document. */
function firstLanguage(): Language {
  const chosen = typeof document === 'undefined' ? '' : document.documentElement.lang;
  return isLanguage(chosen) ? chosen : FALLBACK_LANGUAGE;
}

function keepChoice(language: string): void {
  if (typeof document === 'undefined') return;
  document.documentElement.lang = language;
  try {
    localStorage.setItem(STORED_LANGUAGE, language);
  } catch {
    // Without a storage it is chosen anew at each visit.
  }
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
  return isLanguage(i18next.language) ? i18next.language : FALLBACK_LANGUAGE;
}
