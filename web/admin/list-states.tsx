import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, failureText } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { type FailedQuery, LoadFailure } from '#web/ui/query-state.tsx';

export function ListSkeleton() {
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

/** A 403 means that the user is no longer an admin: the gate then closes the administration. */
export function ListFailure({ error, list }: { error: Error; list: FailedQuery }) {
  const { t } = useTranslation('admin');
  const client = useQueryClient();
  const isRefused = error instanceof ApiError && error.code === 'forbidden';
  useEffect(() => {
    if (isRefused) void client.invalidateQueries({ queryKey: queryKeys.me });
  }, [client, isRefused]);
  return <LoadFailure title={failureText(error, t('failed'))} query={list} />;
}
