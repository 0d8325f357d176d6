import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import type { MatchingPostMessage } from '#contract/live-messages.ts';
import type { Notice } from '#contract/notices.ts';
import { withReference } from '#web/api/client.ts';
import { useSession } from '#web/api/session.ts';
import { claimsOptions, listedClaims, waitsForReader } from '#web/claims/api.ts';
import { formatAge } from '#web/lib/format.ts';
import { late } from '#web/lib/late.ts';
import { paths, postPath } from '#web/lib/paths.ts';
import { ReasonList } from '#web/matches/reason-list.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LatePart } from '#web/ui/late.tsx';
import { LoginNeeded, QueryState } from '#web/ui/query-state.tsx';
import { showToast } from '#web/ui/toast.tsx';
import {
  closePhoneNotifications,
  dismissMatch,
  dismissNotice,
  markRead,
  noticesOptions,
  unreadCountOf,
} from './api.ts';
import { NoticeContact, NoticeFacts } from './match-parts.tsx';
import { type News, NewsText, nextPlace, titleOf } from './news.tsx';

const latePushCard = late(async () => (await import('#web/push/push-card.tsx')).PushCard, 'push');

/** /notices: the user's notices, newest first. Opening the list marks them as read. */
export function NoticesScreen() {
  const { t } = useTranslation('notices');
  const session = useSession();
  return (
    <div className="mx-auto grid max-w-2xl gap-5">
      <div className="grid gap-2">
        <h1>{t('listTitle')}</h1>
        <p className="lead">{t('listText')}</p>
      </div>
      {session ? (
        <>
          <WaitingClaims />
          <LatePart part={latePushCard} />
          <PastNotices />
        </>
      ) : (
        <LoginNeeded icon="bell" title={t('loginFirst')} label={t('login')} />
      )}
    </div>
  );
}

/** Claims that wait for the user. A claim stays listed until it is answered, even after its notice was read. */
function WaitingClaims() {
  const { t } = useTranslation('notices');
  const count = listedClaims(useInfiniteQuery(claimsOptions).data).filter(waitsForReader).length;
  if (count === 0) return null;
  return (
    <ButtonLink look="secondary" icon="tag" to={paths.claims}>
      {t('claimsWaiting', { count })}
    </ButtonLink>
  );
}

function PastNotices() {
  const { t } = useTranslation('notices');
  const list = useInfiniteQuery(noticesOptions);
  const notices = list.data?.pages.flatMap((page) => page.notices) ?? [];
  useMarkRead(
    notices.map(({ message }) => message.id),
    unreadCountOf(list.data),
  );
  useDismissalInAddress(list.data ? notices : null);

  return (
    <QueryState
      query={list}
      failed={t('loadFailed')}
      skeleton={<CardSkeletons />}
      empty={notices.length === 0 && <NoNotices />}
      more={t('loadMore')}
    >
      {() => (
        <ol className="grid gap-4">
          {notices.map((notice) => (
            <NoticeCard key={notice.message.id} notice={notice} />
          ))}
        </ol>
      )}
    </QueryState>
  );
}

function NoNotices() {
  const { t } = useTranslation('notices');
  return (
    <EmptyState icon="bell" title={t('emptyTitle')} text={t('emptyText')}>
      {/* Secondary, because the question about pushes above an empty list has the primary button. */}
      <ButtonLink look="secondary" to={paths.createPost} icon="plus">
        {t('postSomething')}
      </ButtonLink>
    </EmptyState>
  );
}

/** Marks all notices as read, up to the newest one loaded. The list highlights these notices until it is reloaded. */
function useMarkRead(ids: string[], unread: number): void {
  const client = useQueryClient();
  const [newestId] = ids;
  const known = ids.join();
  useEffect(() => {
    if (newestId === undefined) return;
    closePhoneNotifications(known.split(','));
    if (unread === 0) return;
    // If the request fails, the bell still counts the notices as unread.
    markRead(client, { up_to: newestId }).catch(() => undefined);
  }, [client, newestId, known, unread]);
}

function CardSkeletons() {
  return (
    <div className="grid gap-4" aria-hidden="true">
      {['a', 'b', 'c'].map((key) => (
        <div key={key} className="skeleton h-40" />
      ))}
    </div>
  );
}

function NoticeCard({ notice }: { notice: Notice }) {
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

/**
 * Dismisses a match notice after the user has pressed "Not this one" on its push notification. The service worker has
 * no session and cannot send the request, so it opens /notices?dismiss=ID. This hook removes the parameter from the URL
 * and sends the request once.
 * @param notices the list; null until it is loaded.
 */
function useDismissalInAddress(notices: Notice[] | null): void {
  const { t } = useTranslation('notices');
  const client = useQueryClient();
  const [params, setParams] = useSearchParams();
  const id = params.get('dismiss');
  const isReady = id !== null && notices !== null;
  const dismissed = useRef<string | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each id, with the list of that moment
  useEffect(() => {
    if (!isReady || dismissed.current === id) return;
    dismissed.current = id;
    setParams({}, { replace: true });
    const message = notices.find(({ message: { id: known } }) => known === id)?.message;
    const isPossible = message?.type === 'matching_post' && message.confidence === 'possible';
    (isPossible ? dismissMatch(client, message.pair_id) : dismissNotice(client, id)).then(
      () => showToast.success(t(isPossible ? 'notThisDone' : 'notMineDone')),
      (error: unknown) => showToast.error(withReference(t('notMineFailed'), error), 'not-dismissed'),
    );
  }, [isReady, id]);
}
