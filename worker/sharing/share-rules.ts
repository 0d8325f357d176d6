import { isLanguage, type Language, localeOf } from '#contract/language.ts';
import { chooseLanguage } from '#worker/http/language.ts';

/** The default if neither the link nor the browser asks for a language: most readers of shared links know it. */
const USUAL_LANGUAGE: Language = 'sw';
/** About as much as chats show. */
const SUMMARY_MAX_CHARS = 200;

/** @param wanted the language in the link, which is that of the person who shared it. */
export function chooseShareLanguage(wanted: string | undefined, acceptLanguage: string | undefined): Language {
  return isLanguage(wanted) ? wanted : chooseLanguage(acceptLanguage, USUAL_LANGUAGE);
}

/**
 * Typed text for attributes and titles, where no element can isolate it: a single line without characters that change
 * the direction of the surrounding text.
 */
export function toPlainLine(text: string): string {
  return text
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** The start of a line, cut between grapheme clusters. */
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
