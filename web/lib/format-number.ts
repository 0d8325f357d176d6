import { localeOf } from '#contract/language.ts';
import { currentLanguage } from './i18n.ts';

/** Apart from the formats of times: the home page shows a number, and nothing else of the screens with data. */
export function formatNumber(number: number): string {
  return new Intl.NumberFormat(localeOf(currentLanguage())).format(number);
}
