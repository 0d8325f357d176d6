import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '#web/lib/format.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { MoreButton } from '#web/ui/more-button.tsx';
import { feedbackQuery } from './api.ts';
import { ListFailure, ListSkeleton } from './list-states.tsx';

/** What people wrote in the footer's form, newest first. */
export function FeedbackInbox() {
  const { t } = useTranslation('admin');
  const list = useInfiniteQuery({ ...feedbackQuery, staleTime: 0 });
  const failure = useFailure(list);
  const entries = list.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <div className="grid gap-4">
      {failure && <ListFailure error={failure} list={list} />}
      {list.isPending && !failure && <ListSkeleton />}
      {list.data && entries.length === 0 && <EmptyState icon="chat" title={t('noFeedback')} />}
      <ul className="grid gap-3">
        {entries.map(({ id, email, message, created_at }) => (
          <li key={id} className="card grid gap-2">
            <p className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-sm">
              <a className="link break-all" href={`mailto:${email}`}>
                {email}
              </a>
              <time dateTime={created_at} className="text-muted">
                {formatDateTime(created_at)}
              </time>
            </p>
            <p dir="auto" className="whitespace-pre-line break-words">
              {message}
            </p>
          </li>
        ))}
      </ul>
      <MoreButton list={list} label={t('more')} failed={t('failed')} />
    </div>
  );
}
