import type { Language } from '#contract/language.ts';
import { escapeHtml } from './email-rules.ts';
import { texts as en } from './texts/en.ts';
import { texts as sw } from './texts/sw.ts';

const TEXTS = { en: en.unsubscribing, sw: sw.unsubscribing } satisfies Record<Language, unknown>;

/** Asks first: programs that look for danger in an e-mail open every link of it. It needs no script and no app. */
export function renderQuestion(language: Language): string {
  const { title, question, button } = TEXTS[language];
  return renderPage(language, title, [
    `<p>${escapeHtml(question)}</p>`,
    `<form method="post"><button>${escapeHtml(button)}</button></form>`,
  ]);
}

export function renderDone(language: Language): string {
  const { title, done } = TEXTS[language];
  return renderPage(language, title, [`<p>${escapeHtml(done)}</p>`]);
}

function renderPage(language: Language, title: string, parts: string[]): string {
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<main><h1>${escapeHtml(title)}</h1>${parts.join('')}</main>
</html>
`;
}
