import i18next from 'i18next';
import en from '#web/locales/en/admin.json';
import sw from '#web/locales/sw/admin.json';

/** Beside the screen and not in the languages' own chunks: only a platform admin loads these texts. */
export function addAdminTexts(): void {
  i18next.addResourceBundle('en', 'admin', en);
  i18next.addResourceBundle('sw', 'admin', sw);
}
