import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, failureText } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { QueryState, useFailure } from '#web/ui/query-state.tsx';

type Props<Data> = {
  query: UseQueryResult<Data> | UseInfiniteQueryResult<Data>;
  /** Shown in place of a list without rows; false if the list has rows. */
  empty?: ReactNode;
  children: (data: Data) => ReactNode;
};

/**
 * `QueryState` with the administration's texts. A 403 means that the user is no longer an admin. The account is then
 * refetched, and `AdminGate` shows "Page not found".
 */
export function AdminQueryState<Data>({ query, ...states }: Props<Data>) {
  const { t } = useTranslation('admin');
  const client = useQueryClient();
  const failure = useFailure(query);
  const isRefused = failure instanceof ApiError && failure.code === 'forbidden';
  useEffect(() => {
    if (isRefused) void client.invalidateQueries({ queryKey: queryKeys.me });
  }, [client, isRefused]);
  return (
    <QueryState
      query={query}
      failed={t('failed')}
      wording={failureText}
      skeleton={<ListSkeleton />}
      more={t('more')}
      {...states}
    />
  );
}

function ListSkeleton() {
  return (
    <div className="grid gap-3" aria-busy="true">
      {['a', 'b', 'c'].map((key) => (
        <div key={key} className="card grid gap-3">
          <div className="skeleton h-6 w-1/2" />
          <div className="skeleton h-4 w-full" />
          <div className="skeleton h-11 w-40" />
        </div>
      ))}
    </div>
  );
}
