import { isLanguage, type Language, localeOf } from '#contract/language.ts';
import { chooseLanguage } from '#worker/http/language.ts';

/** Most people who are sent a link here read it; whoever's browser says otherwise gets what it asks for. */
const USUAL_LANGUAGE: Language = 'sw';
/** About as much as a chat shows. */
const SUMMARY_MAX_CHARS = 200;

/** @param wanted what the link says, which is the language of whoever sent it. */
export function chooseShareLanguage(wanted: string | undefined, acceptLanguage: string | undefined): Language {
  return isLanguage(wanted) ? wanted : chooseLanguage(acceptLanguage, USUAL_LANGUAGE);
}

/**
 * What people typed, for where no element can keep it to itself: one line, without what turns the direction of the
 * letters around it.
 */
export function toPlainLine(text: string): string {
  return text
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** As much of a line as a chat shows, cut between two characters as people see them. */
export function summarise(line: string): string {
  if (line.length <= SUMMARY_MAX_CHARS) return line;
  let start = '';
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (start.length + segment.length >= SUMMARY_MAX_CHARS) break;
    start += segment;
  }
  return `${start.trimEnd()}…`;
}

/** 21 November 2026 / 21 Novemba 2026. */
export function formatShareDate(iso: string, language: Language): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'Africa/Dar_es_Salaam' }).format(
    new Date(iso),
  );
}
