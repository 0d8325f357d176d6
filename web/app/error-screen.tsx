import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isChunkError, isChunkGone, reloadOnce } from '#web/lib/stale-chunk.ts';
import { useRetryOnline } from '#web/lib/use-online.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

/** What is shown when a screen breaks or cannot be loaded; a chunk that a deploy replaced heals by one reload. */
export function ErrorScreen({ error }: { error: unknown }) {
  const { t } = useTranslation('common');
  const [isHealing, setHealing] = useState(() => isChunkError(error));

  useEffect(() => {
    let isCurrent = true;
    if (!isChunkError(error)) window.reportError(error);
    void isChunkGone(error).then((isGone) => {
      const isReloading = isGone && reloadOnce();
      if (isCurrent && !isReloading) setHealing(false);
    });
    return () => {
      isCurrent = false;
    };
  }, [error]);

  useRetryOnline(isChunkError(error), () => window.location.reload());

  if (isHealing) return <p className="sr-only">{t('loading')}</p>;
  return (
    <div className="mx-auto max-w-lg px-4 py-16">
      <EmptyState
        icon={isChunkError(error) ? 'offline' : 'alert'}
        title={t('brokenTitle')}
        text={t('brokenText')}
        isPage
      >
        <Button onClick={() => window.location.reload()}>{t('reload')}</Button>
      </EmptyState>
    </div>
  );
}
