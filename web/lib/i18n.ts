import { FALLBACK_LANGUAGE, isLanguage, type Language } from '#contract/language.ts';
import { byLanguage } from './by-language.ts';
import { addNamespace, getCurrent, setLanguage } from './translate.ts';

type Texts = Record<string, object>;

/** A language is two chunks, loaded when they are needed: what the first visit reads, and what the other screens do. */
const firstTexts = byLanguage(import.meta.glob<Texts>('#web/locales/*/first.ts', { import: 'firstResources' }));
const screenTexts = byLanguage(import.meta.glob<Texts>('#web/locales/*/index.ts', { import: 'resources' }));

/** The key in local storage (docs/product.md A7). */
const STORED_LANGUAGE = 'i18nextLng';

let wantsScreens = false;

/** Starts with what the page's first script has chosen (scripts/build/first-paint-script.ts), and keeps what is chosen from then on. */
export async function startI18n(): Promise<void> {
  await changeLanguage(firstLanguage());
}

/** The build renders the pages where there is no document. */
function firstLanguage(): Language {
  const chosen = typeof document === 'undefined' ? '' : document.documentElement.lang;
  return isLanguage(chosen) ? chosen : FALLBACK_LANGUAGE;
}

function keepChoice(language: Language): void {
  if (typeof document === 'undefined') return;
  document.documentElement.lang = language;
  try {
    localStorage.setItem(STORED_LANGUAGE, language);
  } catch {
    // Without a storage it is chosen anew at each visit.
  }
}

export async function changeLanguage(language: Language): Promise<void> {
  await addTexts(language);
  setLanguage(language);
  keepChoice(language);
}

/** Loads the texts of every screen but the home page, in this language and in any that is chosen later. */
export async function loadScreenTexts(): Promise<void> {
  wantsScreens = true;
  await addTexts(currentLanguage());
}

async function addTexts(language: Language): Promise<void> {
  const loadWanted = async (): Promise<Texts> => (wantsScreens ? screenTexts[language]() : {});
  const texts = await Promise.all([firstTexts[language](), loadWanted()]);
  // A screen may have been opened while these were on their way.
  for (const sentencesOf of [...texts, await loadWanted()]) {
    for (const [namespace, sentences] of Object.entries(sentencesOf)) addNamespace(language, namespace, sentences);
  }
}

export function currentLanguage(): Language {
  return getCurrent().language;
}
