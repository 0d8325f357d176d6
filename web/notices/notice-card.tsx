import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { MatchingPostMessage } from '#contract/live-messages.ts';
import type { Notice } from '#contract/notices.ts';
import { formatAge } from '#web/lib/format.ts';
import { paths, postPath } from '#web/lib/paths.ts';
import { Badge } from '#web/ui/badge.tsx';
import { ReasonList } from '#web/ui/reason-list.tsx';
import { type News, nextPlace, titleOf } from './news.ts';
import { NewsText } from './news-text.tsx';
import { NoticeContact } from './notice-contact.tsx';
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
      ) : message.type === 'password_changed' ? (
        <PasswordChanged />
      ) : (
        <NewsPart message={message} />
      )}
    </li>
  );
}

function PasswordChanged() {
  const { t } = useTranslation('notices');
  return (
    <>
      <h2>{t('passwordTitle')}</h2>
      <p>{t('passwordText')}</p>
      <Link className="link justify-self-start py-1" to={paths.forgotPassword}>
        {t('passwordNotMe')}
      </Link>
    </>
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
          <NoticeContact message={message} />
        </>
      ) : (
        <Badge tone="plain" icon="close">
          {t('closed')}
        </Badge>
      )}
      <Link className="link justify-self-start py-1" to={postPath(message.your_post_id)}>
        {t('yourPost')}
      </Link>
    </>
  );
}

function NewsPart({ message }: { message: News }) {
  const { t } = useTranslation('notices');
  const next = nextPlace(message, t);
  return (
    <>
      <h2>{titleOf(message, t)}</h2>
      <NewsText message={message} />
      {next && (
        <Link className="link justify-self-start py-1" to={next.to}>
          {next.label}
        </Link>
      )}
    </>
  );
}
