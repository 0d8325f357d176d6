import { eq, sql } from 'drizzle-orm';
import type { Language } from '#contract/language.ts';
import en from '#locales/en/outside/email.json' with { type: 'json' };
import sw from '#locales/sw/outside/email.json' with { type: 'json' };
import type { Db } from '#worker/db/client.ts';
import { firstOf } from '#worker/db/statements.ts';
import { users } from '#worker/db/tables/people.ts';
import type { AppContext } from '#worker/http/context.ts';
import { PAGE_STYLE } from '#worker/http/html-page.ts';
import { emailKey, fingerprint, isSameText } from '#worker/identity/digests.ts';
import { switchChannel } from '#worker/notices/settings.ts';
import { escapeHtml } from './compose-email.ts';

/** @returns the id of the person who unsubscribes; null if `value` is invalid, or is for a former e-mail address. */
export async function findUnsubscriber(c: AppContext, value: string): Promise<string | null> {
  const { config, db } = c.var;
  const userId = userOf(value);
  const email = await findAddress(db, userId);
  const isOurs = email !== null && isSameText(value, toUnsubscribing(config.keys.code, { userId, email }));
  return isOurs ? userId : null;
}

/** Makes the value with which a person unsubscribes without signing in. Only our secret can make this value. */
export function toUnsubscribing(secret: string, { userId, email }: { userId: string; email: string }): string {
  return `${userId}.${fingerprint(secret, 'unsubscribe', `${userId}\0${emailKey(email)}`)}`;
}

/** @returns the person's id, unverified. To verify the value, make it again with their address and compare. */
function userOf(unsubscribing: string): string {
  return unsubscribing.split('.', 1)[0] ?? '';
}

/** Reads the person's current e-mail address, because a link made for a former address is invalid. */
async function findAddress(db: Db, userId: string): Promise<string | null> {
  const row = await firstOf(db.select({ email: users.email }).from(users).where(eq(users.id, userId)));
  return row?.email ?? null;
}

export async function switchEmailOff(db: Db, userId: string): Promise<void> {
  await switchChannel(db, sql`${userId}`, 'email', false);
}

const TEXTS = { en: en.unsubscribing, sw: sw.unsubscribing } satisfies Record<Language, unknown>;

/** The only style that the page's Content-Security-Policy allows. */
export const STYLE = `${PAGE_STYLE}
button { min-height: 2.75rem; width: 100%; padding: .5rem 1rem; border: 0; border-radius: .75rem;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer }
`;

/**
 * Renders the page on which the person confirms with a button. The link alone does not unsubscribe, because mail
 * scanners open every link of an e-mail. The page needs neither scripts nor the app.
 */
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

/** Renders the answer for a link that is incomplete, or made for a former e-mail address. */
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
