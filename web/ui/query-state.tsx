import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { withReference } from '#web/api/client.ts';
import { formatAge } from '#web/lib/format.ts';
import { useOnline, useRetryOnline } from '#web/lib/online.ts';
import { paths } from '#web/lib/paths.ts';
import { Banner } from './banner.tsx';
import { Button, ButtonLink } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
import { Icon, type IconName } from './icon.tsx';

export type FailedQuery = { isFetching: boolean; refetch: () => Promise<unknown> };

/**
 * Shown in place of data that could not be loaded, with a button to retry.
 * @param query the failed query.
 * @param isToasted whether a toast shows the error too. This message then appears only when the toast is gone.
 */
export function LoadFailure({
  icon = 'offline',
  query,
  isToasted = false,
  ...rest
}: {
  icon?: IconName;
  title: string;
  text?: string;
  isPage?: boolean;
  query: FailedQuery;
  isToasted?: boolean;
}) {
  const { t } = useTranslation('common');
  return (
    <div role={isToasted ? undefined : 'alert'} className={isToasted ? 'after-toast' : ''}>
      <EmptyState icon={icon} {...rest}>
        <Button look="secondary" isBusy={query.isFetching} onClick={() => void query.refetch()}>
          {t('tryAgain')}
        </Button>
      </EmptyState>
    </div>
  );
}

/** The button that loads the next page, if there is one, and a message if loading failed. */
export function MoreButton({ list, label, failed }: { list: UseInfiniteQueryResult; label: string; failed: string }) {
  useRetryOnline(list.isFetchNextPageError, () => void list.fetchNextPage());
  return (
    <>
      {list.isFetchNextPageError && <Banner tone="error">{failed}</Banner>}
      {list.hasNextPage && (
        <Button look="secondary" isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {label}
        </Button>
      )}
    </>
  );
}

/**
 * Says that the data is stored on this phone, and how old it is.
 * @param updatedAt when the data was fetched, in milliseconds (TanStack Query's `dataUpdatedAt`); 0 if it was never
 * fetched.
 * @param isOutdated whether the last refresh failed although the phone reports a network.
 */
export function SeenBefore({ updatedAt, isOutdated = false }: { updatedAt: number; isOutdated?: boolean }) {
  const { t } = useTranslation('common');
  const isOnline = useOnline();
  if (updatedAt === 0 || (isOnline && !isOutdated)) return null;
  return (
    <p role="status" className="flex items-start gap-2.5 rounded-xl bg-notice-soft px-4 py-3 text-notice">
      <Icon name="offline" className="mt-0.5 size-5" />
      {t('seenBefore', { age: formatAge(new Date(updatedAt).toISOString()) })}
    </p>
  );
}

type Query<Data> = Pick<
  UseQueryResult,
  'error' | 'errorUpdateCount' | 'isPlaceholderData' | 'isFetching' | 'refetch' | 'dataUpdatedAt' | 'isRefetchError'
> & { data: Data | undefined };

/**
 * Shows a query's skeleton, then its data, or a failure with a button that retries.
 * @param failed the sentence for a failure.
 * @param wording makes the message from the error and `failed`. Used only if there is no data: if a further page of a
 * list fails to load, the message is `failed`.
 * @param refusal is shown in place of the message, for an error that a retry cannot fix; null for every other error.
 * @param empty is shown in place of a list without rows. The caller passes false if the list has rows.
 * @param more the label of the button that loads the next page.
 * @param showsAge whether to say how old the data is while there is no network.
 */
export function QueryState<Data>({
  query,
  failed,
  wording = (error, sentence) => withReference(sentence, error),
  refusal,
  skeleton,
  empty,
  more,
  showsAge = false,
  children,
  ...failure
}: {
  query: Query<Data> | (Query<Data> & UseInfiniteQueryResult);
  failed: string;
  wording?: (error: Error, failed: string) => string;
  refusal?: (error: Error) => ReactNode;
  skeleton: ReactNode;
  empty?: ReactNode;
  more?: string;
  showsAge?: boolean;
  icon?: IconName;
  isPage?: boolean;
  children: (data: Data) => ReactNode;
}) {
  const error = useFailure(query);
  if (error) return refusal?.(error) ?? <LoadFailure title={wording(error, failed)} query={query} {...failure} />;
  if (query.data === undefined) return skeleton;
  if (empty) return empty;
  return (
    <>
      {showsAge && <SeenBefore updatedAt={query.dataUpdatedAt} isOutdated={query.isRefetchError} />}
      {children(query.data)}
      {more !== undefined && 'fetchNextPage' in query && <MoreButton list={query} label={more} failed={failed} />}
    </>
  );
}

/**
 * Returns the error of a query without data. The error stays during retries, so that a screen reader announces it once.
 */
export function useFailure({
  data,
  error,
  errorUpdateCount,
  isPlaceholderData,
}: Pick<Query<unknown>, 'data' | 'error' | 'errorUpdateCount' | 'isPlaceholderData'>): Error | null {
  const [last, setLast] = useState(error);
  if (error !== null && error !== last) setLast(error);
  const hasFailed = errorUpdateCount > 0 && (data === undefined || isPlaceholderData);
  return hasFailed ? (error ?? last) : null;
}

type LoginNeededProps = { icon?: IconName; title: string; label: string; isPage?: boolean };

/**
 * Shows a visitor that the screen, or a part of it, needs an account. The link opens the login screen, which then
 * returns to this screen.
 */
export function LoginNeeded({ icon = 'user', title, label, isPage = false }: LoginNeededProps) {
  const { pathname, search } = useLocation();
  return (
    <EmptyState icon={icon} title={title} isPage={isPage}>
      <ButtonLink to={paths.login} state={{ from: pathname + search }}>
        {label}
      </ButtonLink>
    </EmptyState>
  );
}
