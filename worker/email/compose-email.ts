import type { EmailKind } from '#contract/channels.ts';
import type { Language } from '#contract/language.ts';
import en from '#locales/en/outside/email.json' with { type: 'json' };
import sw from '#locales/sw/outside/email.json' with { type: 'json' };

const TEXTS = { en, sw } satisfies Record<Language, unknown>;

/** An e-mail, ready to be sent. */
export type Email = {
  to: string;
  kind: EmailKind;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  language: Language;
};

type Addressed = {
  /** Identifies the e-mail: the id of the link that proves an address, or of the message about notices. */
  id: string;
  to: string;
  /** The scheme and host with which all links to the app begin. */
  origin: string;
  language: Language;
};

/** Composes the e-mail that proves an address. The token is in the URL's fragment, which browsers never send. */
export function composeConfirmation({ to, origin, language, id }: Addressed, token: string): Email {
  const { subject, sentence, ending } = TEXTS[language].confirm;
  const link = `${origin}/confirm-email#${token}`;
  const headers = identify(id, origin);
  return { to, kind: 'confirm_email', subject, ...toBodies(language, [sentence, link, ending]), headers, language };
}

export type NoticeEmail = Addressed & {
  kind: Exclude<EmailKind, 'confirm_email'>;
  /** The title of the post, redacted as for visitors. */
  title: string;
  claimId: string | null;
  waiting: number;
  /** The signed value in the link that unsubscribes the person. */
  unsubscribing: string;
};

/** Composes one e-mail about all waiting notices. `waiting` is the number of these notices. */
export function composeNotice(notice: NoticeEmail): Email {
  const { id, to, origin, language, kind, title, claimId, waiting, unsubscribing } = notice;
  const { several, match, claim, unsubscribe } = TEXTS[language];
  const { subject, sentence, untitled } = waiting > 1 ? several : kind === 'match_notice' ? match : claim;
  const fill = (text: string) =>
    text.replace(/\{(title|count)\}/g, (_whole, name) => (name === 'title' ? title : String(waiting)));
  const page = claimId !== null && waiting === 1 ? `claims/${encodeURIComponent(claimId)}` : 'notices';
  const address = `${origin}/api/email/unsubscribe/${unsubscribing}`;
  const headers = {
    ...identify(id, origin),
    'List-Unsubscribe': `<${address}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  const bodies = toBodies(language, [
    fill(title === '' ? untitled : sentence),
    `${origin}/${page}`,
    unsubscribe,
    address,
  ]);
  return { to, kind, subject: fill(subject), ...bodies, headers, language };
}

/**
 * Returns headers that identify the e-mail. If an e-mail is sent twice, mail programs group both copies, because both
 * have the same `References`. The Message-IDs differ, because Cloudflare sets them.
 */
function identify(id: string, origin: string): Record<string, string> {
  return { References: `<${id}@${new URL(origin).hostname}>`, 'Auto-Submitted': 'auto-generated' };
}

function toBodies(language: Language, paragraphs: string[]): { text: string; html: string } {
  const html = paragraphs.map(
    (paragraph) => `<p>${isAddress(paragraph) ? toLink(paragraph) : escapeHtml(paragraph)}</p>`,
  );
  return {
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>Patikana</title><body>${html.join('')}</body></html>`,
  };
}

function isAddress(paragraph: string): boolean {
  return /^https?:\/\/\S+$/.test(paragraph);
}

function toLink(address: string): string {
  return `<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
