import { useTranslation } from 'react-i18next';
import type { MatchingPostMessage } from '#contract/live-messages.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { Icon, type IconName } from '#web/ui/icon.tsx';

/** Where, when, whose and the number: what the message says of the post. */
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
