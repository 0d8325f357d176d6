import { useTranslation } from 'react-i18next';
import { callLink, whatsappLink } from '#web/lib/contact-links.ts';
import { firstWords, type Occasion } from '#web/lib/first-words.ts';
import { LinkButton } from './button.tsx';

type Props = {
  phone: string;
  title: string;
  /** What the other person wrote, which tells their language. */
  written?: string;
  occasion?: Occasion;
};

/** The ways to reach somebody: a call, and WhatsApp where the number can have it, begun in their language. */
export function ContactLinks({ phone, title, written = title, occasion = 'post' }: Props) {
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
