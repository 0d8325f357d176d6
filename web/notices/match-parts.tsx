import { useTranslation } from 'react-i18next';
import type { MatchingPostMessage } from '#contract/live-messages.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { ContactLimited, ContactLinks } from '#web/posts/post/contact-links.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';

export function NoticeFacts({ message }: { message: MatchingPostMessage }) {
  const { t } = useTranslation('notices');
  const owner = `${message.owner_first_name} ${message.owner_last_name}`.trim();
  const phone = message.phone_number;
  const facts: [IconName, string][] = [
    ['pin', message.location],
    ...(message.kept_at ? [['shield', t('nowAt', { place: message.kept_at })] satisfies [IconName, string]] : []),
    ['clock', t('postedAt', { time: formatDateTime(message.created_at) })],
    ...(owner ? [['user', t('ownerName', { name: owner })] satisfies [IconName, string]] : []),
    ...(phone ? [['phone', t('phoneNumber', { number: phone })] satisfies [IconName, string]] : []),
  ];
  return (
    <ul className="grid gap-1 text-muted">
      {facts.map(([icon, text]) => (
        <li key={icon} className="flex items-start gap-2">
          <Icon name={icon} className="mt-0.5 size-5" />
          <span dir="auto" className="wrap-anywhere min-w-0">
            {text}
          </span>
        </li>
      ))}
    </ul>
  );
}

/**
 * Shows how to contact the author. Each phone number in a notice counts towards the user's daily allowance of phone
 * numbers. If the allowance is used up, says so instead.
 */
export function NoticeContact({ message }: { message: MatchingPostMessage }) {
  if (message.is_contact_limited) return <ContactLimited postId={message.post_id} opensAt={message.contact_opens_at} />;
  return message.phone_number && <ContactLinks phone={message.phone_number} title={message.title} />;
}
