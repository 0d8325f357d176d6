import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';
import { FALLBACK_LANGUAGE } from '#contract/language.ts';

const TEXTS = /\/locales\/[\w-]+\/((?:outside\/)?[\w-]+\.json)$/;

/** Fills in the English for each text that a language lacks: the app loads no language but the reader's. */
export function fillInEnglish(): Plugin {
  return {
    name: 'fill-in-english',
    enforce: 'pre',
    transform: {
      filter: { id: TEXTS },
      async handler(texts, id) {
        const english = id.replace(TEXTS, `/locales/${FALLBACK_LANGUAGE}/$1`);
        this.addWatchFile(english);
        return JSON.stringify(fillIn(JSON.parse(texts), JSON.parse(await readFile(english, 'utf8'))));
      },
    },
  };
}

/** A list, such as the paragraphs of a page, is one text. */
function fillIn(texts: unknown, english: unknown): unknown {
  if (!isGroup(texts) || !isGroup(english)) return texts ?? english;
  return {
    ...texts,
    ...Object.fromEntries(Object.entries(english).map(([key, text]) => [key, fillIn(texts[key], text)])),
  };
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
