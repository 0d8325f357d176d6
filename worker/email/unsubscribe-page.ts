import type { Language } from '#contract/language.ts';
import en from '#locales/en/outside/email.json' with { type: 'json' };
import sw from '#locales/sw/outside/email.json' with { type: 'json' };
import { PAGE_STYLE } from '#worker/http/html-page.ts';
import { escapeHtml } from './email-rules.ts';

const TEXTS = { en: en.unsubscribing, sw: sw.unsubscribing } satisfies Record<Language, unknown>;

/** The only style that the page's Content-Security-Policy allows. */
export const STYLE = `${PAGE_STYLE}
button { min-height: 2.75rem; width: 100%; padding: .5rem 1rem; border: 0; border-radius: .75rem;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer }
`;

/** Asks for confirmation, because mail scanners open every link of an e-mail. It needs neither scripts nor the app. */
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

/** For a link that is incomplete, or older than the person's current address. */
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
