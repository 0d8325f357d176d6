import { useTranslation } from 'react-i18next';
import { changeLanguage, currentLanguage } from '#web/lib/i18n.ts';

/** Shows the other language's own name, in that language. */
export function LanguageToggle() {
  useTranslation();
  const other = currentLanguage() === 'en' ? 'sw' : 'en';
  return (
    <button
      type="button"
      lang={other}
      className="nav-link px-2! font-semibold text-accent sm:px-3!"
      onClick={() => changeLanguage(other)}
    >
      {other === 'sw' ? 'Kiswahili' : 'English'}
    </button>
  );
}
