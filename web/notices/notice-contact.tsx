import { useTranslation } from 'react-i18next';
import type { MatchingPostMessage } from '#contract/live-messages.ts';
import { ContactLimited } from '#web/ui/contact-limited.tsx';
import { ContactLinks } from '#web/ui/contact-links.tsx';
import { Icon } from '#web/ui/icon.tsx';

/** The author's number and how to reach them; a day's notices carry only so many numbers. */
export function NoticeContact({ message }: { message: MatchingPostMessage }) {
  const { t } = useTranslation('notices');
  const { phone_number: phone, title } = message;
  if (message.is_contact_limited) return <ContactLimited postId={message.post_id} opensAt={message.contact_opens_at} />;
  if (phone === null) return null;
  return (
    <div className="grid gap-2">
      <p className="flex items-center gap-2 font-semibold tabular-nums">
        <Icon name="phone" className="text-muted" />
        {t('phoneNumber', { number: phone })}
      </p>
      <ContactLinks phone={phone} title={title} />
    </div>
  );
}
