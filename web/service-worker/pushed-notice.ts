import { FALLBACK_LANGUAGE, isLanguage, LANGUAGES } from '#contract/language.ts';
import { byLanguage } from '#web/lib/by-language.ts';

type Texts = { general: string; view: string; notThis: string };

const texts = byLanguage(import.meta.glob<Texts>('#locales/*/outside/pushed.json', { eager: true, import: 'default' }));

/** The page with all notices. Opened for a notice without an address. */
const NOTICES = '/notices';
const ICON = '/icon-192.png';
const DISMISS = 'dismiss';

/** The data stored in a notification, read when the user presses it. `id` is null if the push could not be read. */
type Remembered = { id: string | null; url: string };

type PushedNotice = {
  title: string;
  options: {
    body: string;
    lang?: string;
    tag: string;
    silent: boolean;
    icon: string;
    data: Remembered;
    actions: { action: string; title: string }[];
  };
};

/**
 * Returns the notification for a push. An unreadable push gets a general text: if an app shows nothing, browsers show a
 * text of their own or end the app's subscription.
 * @param text the decrypted push; null for an empty one.
 */
export function toNotice(text: string | null): PushedNotice {
  const { type, id, title, body, url, language, silent } = readObject(text);
  if (!isText(id) || !isText(title) || !isText(body)) return GENERAL;
  const words = texts[isLanguage(language) ? language : FALLBACK_LANGUAGE];
  const actions = [{ action: 'view', title: words.view }];
  if (type === 'matching_post') actions.push({ action: DISMISS, title: words.notThis });
  return {
    title,
    options: {
      body,
      ...(isLanguage(language) && { lang: language }),
      // The browser shows notifications with the same tag only once, so a notice that is sent twice appears once.
      tag: id,
      silent: silent === true,
      icon: ICON,
      data: { id, url: toOwnAddress(url) },
      actions,
    },
  };
}

/** Returns the address to open when a notification, or one of its buttons, is pressed. */
export function addressToOpen(data: unknown, action: string): string {
  const { id, url } = (data ?? {}) as Partial<Remembered>;
  // The service worker has no session, so the page with all notices sends the dismissal. The page's URL contains the
  // notice's id.
  return action === DISMISS && isText(id) ? `${NOTICES}?dismiss=${encodeURIComponent(id)}` : toOwnAddress(url);
}

/** The notification for an unreadable push. In Swahili and English, because the user's language is unknown. */
const GENERAL: PushedNotice = {
  title: 'Patikana',
  options: {
    body: LANGUAGES.map((language) => texts[language].general).join('\n'),
    tag: 'general',
    silent: false,
    icon: ICON,
    data: { id: null, url: NOTICES },
    actions: [],
  },
};

function readObject(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Returns the URL as a path if it is a URL of the app; otherwise the path of the page with all notices. */
function toOwnAddress(url: unknown): string {
  const base = 'https://own.invalid';
  if (!isText(url) || !url.startsWith('/') || !URL.canParse(url, base)) return NOTICES;
  const { origin, pathname, search, hash } = new URL(url, base);
  return origin === base ? pathname + search + hash : NOTICES;
}
