import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { isStaleChunkError, reloadOnce } from '#web/lib/stale-chunk.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

/** What is shown when a screen breaks or cannot be loaded; a chunk that a deploy replaced heals by one reload. */
export function ErrorScreen({ error }: { error: unknown }) {
  const { t } = useTranslation('common');
  const isStale = isStaleChunkError(error);

  useEffect(() => {
    if (isStale) reloadOnce();
    else console.error(error);
  }, [error, isStale]);

  return (
    <div className="mx-auto max-w-lg px-4 py-16">
      <EmptyState icon="alert" title={t('brokenTitle')} text={t('brokenText')}>
        <Button onClick={() => window.location.reload()}>{t('reload')}</Button>
      </EmptyState>
    </div>
  );
}
