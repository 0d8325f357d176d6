import { useTranslation } from 'react-i18next';
import { describeFailure } from '#web/lib/describe-failure.ts';
import { type FailedQuery, LoadFailure } from '#web/ui/load-failure.tsx';

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

export function ListFailure({ error, list }: { error: Error; list: FailedQuery }) {
  const { t } = useTranslation('admin');
  return <LoadFailure title={describeFailure(error, t('failed'))} query={list} />;
}
