import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { CommunityDecisionMessage, MatchingPostMessage } from '#contract/live-messages.ts';
import type { Notice } from '#contract/notices.ts';
import { formatAge } from '#web/lib/format.ts';
import { communityPath, postPath } from '#web/lib/paths.ts';
import { Badge } from '#web/ui/badge.tsx';
import { ContactLinks } from '#web/ui/contact-links.tsx';
import { ReasonList } from '#web/ui/reason-list.tsx';
import { DecisionText } from './decision-text.tsx';
import { NoticeFacts } from './notice-facts.tsx';

/** One past notice. */
export function NoticeCard({ notice }: { notice: Notice }) {
  const { t } = useTranslation('notices');
  const { message } = notice;
  return (
    <li className="card grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
        <span className="text-muted">{formatAge(notice.noticed_at)}</span>
        {notice.read_at === null && <Badge tone="accent">{t('unread')}</Badge>}
      </div>
      {message.type === 'matching_post' ? (
        <Match message={message} isOpen={notice.is_open} />
      ) : (
        <Decision message={message} />
      )}
    </li>
  );
}

function Match({ message, isOpen }: { message: MatchingPostMessage; isOpen: boolean }) {
  const { t } = useTranslation('notices');
  return (
    <>
      {message.confidence === 'possible' && <p>{t('possibleText')}</p>}
      <h2 dir="auto">
        <Link className="link wrap-anywhere" to={postPath(message.post_id)}>
          {message.title}
        </Link>
      </h2>
      <NoticeFacts message={message} />
      {isOpen ? (
        <>
          <ReasonList reasons={message.reasons} />
          {message.phone_number && <ContactLinks phone={message.phone_number} title={message.title} />}
        </>
      ) : (
        <Badge tone="found" icon="check">
          {t('closed')}
        </Badge>
      )}
      <Link className="link justify-self-start py-1" to={postPath(message.your_post_id)}>
        {t('yourPost')}
      </Link>
    </>
  );
}

function Decision({ message }: { message: CommunityDecisionMessage }) {
  const { t } = useTranslation('notices');
  const isApproved = message.type === 'community_approved';
  return (
    <>
      <h2>{t(isApproved ? 'approvedTitle' : 'rejectedTitle')}</h2>
      <DecisionText message={message} />
      {isApproved && (
        <Link className="link justify-self-start py-1" to={communityPath(message.community_id)}>
          {t('openCommunity')}
        </Link>
      )}
    </>
  );
}
