import { useTranslation } from 'react-i18next';
import { LANGUAGES, nameOf } from '#contract/language.ts';
import { changeLanguage, currentLanguage } from '#web/lib/i18n.ts';

/** Shows every other language's own name, in that language. */
export function LanguageToggle() {
  useTranslation();
  const others = LANGUAGES.filter((language) => language !== currentLanguage());
  return others.map((other) => (
    <button
      key={other}
      type="button"
      lang={other}
      className="nav-link px-2! font-semibold text-accent sm:px-3!"
      onClick={() => changeLanguage(other)}
    >
      {nameOf(other)}
    </button>
  ));
}
