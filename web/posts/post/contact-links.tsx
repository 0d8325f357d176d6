import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { LANGUAGES, type Language } from '#contract/language.ts';
import { normaliseAccountPhone } from '#contract/typed-numbers.ts';
import { meQuery } from '#web/api/me.ts';
import { byLanguage } from '#web/lib/by-language.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { paths, postPath } from '#web/lib/paths.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';

type ContactLinksProps = {
  phone: string;
  title: string;
  /** A text that the other person wrote, from which the app guesses their language. */
  written?: string;
  occasion?: Occasion;
};

/** Buttons to call and, for mobile numbers, to open a WhatsApp chat that starts in the other person's language. */
export function ContactLinks({ phone, title, written = title, occasion = 'post' }: ContactLinksProps) {
  const { t } = useTranslation('notices');
  const chat = whatsappLink(phone, firstWords(title, written, occasion));
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] gap-2">
      <LinkButton href={callLink(phone)} icon="phone" className={`px-2! ${chat ? '' : 'col-span-full'}`}>
        {t('call')}
      </LinkButton>
      {chat && (
        <LinkButton href={chat} look="secondary" icon="chat" className="px-2!" target="_blank" rel="noreferrer">
          WhatsApp
        </LinkButton>
      )}
    </div>
  );
}

type ContactLimitedProps = {
  postId: string;
  opensAt: string | null;
  /**
   * Whether the screen shows only this post. Such screens show a few more phone numbers after the daily allowance is
   * used up (docs/product.md V13), so all other screens then link to the post's own screen.
   */
  isOpened?: boolean;
};

/**
 * Shown in place of a phone number when the daily allowance is used up. Says when phone numbers are shown again, and
 * how to see more of them.
 */
export function ContactLimited({ postId, opensAt, isOpened = false }: ContactLimitedProps) {
  const { t } = useTranslation('notices');
  const isProven = useQuery(meQuery).data?.is_whatsapp_verified === true;
  if (opensAt !== null && Date.parse(opensAt) <= Date.now()) {
    return (
      <Link className="link justify-self-start py-1" to={postPath(postId)}>
        {t('numberOpen')}
      </Link>
    );
  }
  return (
    <div className="flex items-start gap-2.5 rounded-xl bg-notice-soft px-3 py-2 text-notice text-sm">
      <Icon name="clock" className="mt-0.5 size-5" />
      <div className="grid justify-items-start">
        <p>{opensAt === null ? t('numbersUsedUp') : t('numbersOpenAt', { time: formatDateTime(opensAt) })}</p>
        {!isOpened && (
          <Link className="link py-1" to={postPath(postId)}>
            {t('openForNumber')}
          </Link>
        )}
        {!isProven && (
          <Link className="link py-1" to={paths.proveNumber}>
            {t('proveForNumbers')}
          </Link>
        )}
      </div>
    </div>
  );
}

/** Phone numbers with fewer digits, such as an office's, are not on WhatsApp. */
const WHATSAPP_DIGITS_MIN = 9;

/** Returns a link that calls the phone number. */
export function callLink(phone: string): string {
  return `tel:${phone}`;
}

/** Returns a link to a WhatsApp chat with `text` typed in, or null if the phone number has no WhatsApp. */
export function whatsappLink(phone: string, text: string): string | null {
  const digits = normaliseAccountPhone(phone).slice(1);
  if (digits.length < WHATSAPP_DIGITS_MIN) return null;
  return `https://wa.me/${digits}?text=${encodeURIComponent(text)}`;
}

/** What the user writes about: the other person's post, or a claim of which both people are parties. */
type Occasion = 'post' | 'claim';

/**
 * The first sentence of a WhatsApp message, in every language. The message begins in the other person's language, which
 * may differ from the language of this user's app.
 */
const sentences = byLanguage(
  import.meta.glob<Record<Occasion, string>>('#locales/*/outside/first-words.json', { eager: true, import: 'default' }),
);

/**
 * Returns the first sentence of a message, in the other person's language. If the language is unknown, returns the
 * sentence in every language.
 * @param written all available text by the other person.
 */
export function firstWords(title: string, written: string, occasion: Occasion): string {
  const guessed = guessLanguage(written);
  const languages = guessed ? [guessed] : LANGUAGES;
  return languages.map((language) => sentences[language][occasion].replace('{title}', () => title)).join('\n');
}

const words = byLanguage(import.meta.glob<RegExp>('#locales/*/words.ts', { eager: true, import: 'commonWords' }));

/** Returns the language of a text, or null if it is too short or mixed. */
export function guessLanguage(text: string): Language | null {
  const folded = text.toLowerCase();
  const counts = LANGUAGES.map((language) => ({ language, count: folded.match(words[language])?.length ?? 0 }));
  const most = Math.max(...counts.map(({ count }) => count));
  const [guess, ...others] = counts.filter(({ count }) => count === most);
  return guess && others.length === 0 ? guess.language : null;
}
