import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { withReference } from '#web/lib/api-client.ts';
import { claimsOptions, listedClaims, waitsForReader } from '#web/lib/claims-query.ts';
import { endNotices } from '#web/lib/end-notices.ts';
import { withTexts } from '#web/lib/i18n.ts';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LatePart } from '#web/ui/late-part.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { MoreButton } from '#web/ui/more-button.tsx';
import { markRead, noticesOptions, unreadCountOf } from './api.ts';
import { NoticeCard } from './notice-card.tsx';
import { useDismissalInAddress } from './use-dismissal-in-address.ts';

const loadPushCard = withTexts(async () => (await import('#web/ui/push-card.tsx')).PushCard, 'push');

/** /notices: what the reader was told, newest first. To open it is to have read it. */
export function NoticesScreen() {
  const { t } = useTranslation(['notices', 'common']);
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
          <LatePart load={loadPushCard} />
          <PastNotices />
        </>
      ) : (
        <EmptyState icon="bell" title={t('loginFirst')}>
          <ButtonLink to={paths.login} state={{ from: paths.notices }}>
            {t('common:login')}
          </ButtonLink>
        </EmptyState>
      )}
    </div>
  );
}

/** A claim waits until it is answered, however long ago its notice was read. */
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
  const { t } = useTranslation(['notices', 'common']);
  const list = useInfiniteQuery(noticesOptions);
  const failure = useFailure(list);
  const notices = list.data?.pages.flatMap((page) => page.notices) ?? [];
  useMarkRead(
    notices.map(({ message }) => message.id),
    unreadCountOf(list.data),
  );
  useDismissalInAddress(list.data ? notices : null);

  if (failure) {
    return <LoadFailure title={withReference(t('loadFailed'), failure)} query={list} />;
  }
  if (list.isPending) return <CardSkeletons />;
  if (notices.length === 0) {
    return (
      <EmptyState icon="bell" title={t('emptyTitle')} text={t('emptyText')}>
        {/* What stands above it asks for more: whether to tell the reader on this phone. */}
        <ButtonLink look="secondary" to={paths.createPost} icon="plus">
          {t('postSomething')}
        </ButtonLink>
      </EmptyState>
    );
  }
  return (
    <>
      <ol className="grid gap-4">
        {notices.map((notice) => (
          <NoticeCard key={notice.message.id} notice={notice} />
        ))}
      </ol>
      <MoreButton list={list} label={t('loadMore')} failed={t('loadFailed')} />
    </>
  );
}

/** Everything down from the newest is read; what is new stays marked until the list is loaded again. */
function useMarkRead(ids: string[], unread: number): void {
  const client = useQueryClient();
  const [newestId] = ids;
  const known = ids.join();
  useEffect(() => {
    if (newestId === undefined) return;
    endNotices(known.split(','));
    if (unread === 0) return;
    // What could not be marked stays on the bell.
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
