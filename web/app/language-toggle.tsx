import { useTranslation } from 'react-i18next';
import { LANGUAGES, nameOf } from '#contract/language.ts';
import { changeLanguage, currentLanguage } from '#web/lib/i18n.ts';

/** Shows every other language's own name, in that language. */
export function LanguageToggle() {
  useTranslation();
  const others = LANGUAGES.filter((language) => language !== currentLanguage());
  return others.map((other, place) => (
    <button
      // The button that was pressed stays, with another name, so that the focus stays on it.
      // biome-ignore lint/suspicious/noArrayIndexKey: the place is what the button is
      key={place}
      type="button"
      lang={other}
      className="nav-link px-2! font-semibold text-accent sm:px-3!"
      onClick={() => changeLanguage(other)}
    >
      {nameOf(other)}
    </button>
  ));
}
