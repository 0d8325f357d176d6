import { createHash } from 'node:crypto';
import type { Language } from '#contract/language.ts';
import { escapeHtml } from './email-rules.ts';
import { texts as en } from './texts/en.ts';
import { texts as sw } from './texts/sw.ts';

const TEXTS = { en: en.unsubscribing, sw: sw.unsubscribing } satisfies Record<Language, unknown>;

/** The app's look without the app: a phone in the sun, a thumb, and a dark mode. */
const STYLE = `
:root { color-scheme: light dark; --paper: #fdfaf5; --ink: #1f1b2d; --accent: #3b2f8f; --on-accent: #ffffff }
@media (prefers-color-scheme: dark) {
  :root { --paper: #15131c; --ink: #f3f0fa; --accent: #b9b1ff; --on-accent: #1a1440 }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 32rem; margin: 0 auto; padding: 1.5rem 1rem }
h1 { font-size: 1.5rem; line-height: 1.25 }
a { display: inline-block; padding: .625rem 0; color: var(--accent) }
button { min-height: 2.75rem; width: 100%; padding: .5rem 1rem; border: 0; border-radius: .75rem;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`;
/** What the page's Content-Security-Policy names, so that this style is let in and no other. */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** Asks first: programs that look for danger in an e-mail open every link of it. It needs no script and no app. */
export function renderQuestion(language: Language): string {
  const { question, button } = TEXTS[language];
  return renderPage(language, [
    `<p>${escapeHtml(question)}</p>`,
    `<form method="post"><button>${escapeHtml(button)}</button></form>`,
  ]);
}

export function renderDone(language: Language): string {
  return renderPage(language, [`<p role="status">${escapeHtml(TEXTS[language].done)}</p>`, renderWayHome(language)]);
}

/** For a link that is cut off, or older than the person's address. */
export function renderInvalid(language: Language): string {
  return renderPage(language, [`<p>${escapeHtml(TEXTS[language].invalid)}</p>`, renderWayHome(language)]);
}

function renderWayHome(language: Language): string {
  return `<p><a href="/account">${escapeHtml(TEXTS[language].account)}</a></p>`;
}

function renderPage(language: Language, parts: string[]): string {
  const title = escapeHtml(TEXTS[language].title);
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style>
<main><h1>${title}</h1>${parts.join('')}</main>
</html>
`;
}
