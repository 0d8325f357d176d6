import { Component, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { forgetFailures, RETRY_MS } from '#web/lib/late.ts';
import { findChunk, isChunkError, reloadOnce } from '#web/lib/new-version.ts';
import { useRetryOnline } from '#web/lib/online.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

type State = { error: unknown } | { error: null };

/** Shows the error screen in place of a broken screen until the user navigates away. */
export class ErrorBoundary extends Component<{ children: ReactNode; resetKey?: string }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error ?? new Error('Something threw nothing') };
  }

  override componentDidUpdate(before: { resetKey?: string }) {
    if (before.resetKey === this.props.resetKey || this.state.error === null) return;
    forgetFailures();
    this.setState({ error: null });
  }

  override render() {
    return this.state.error === null ? this.props.children : <ErrorScreen error={this.state.error} />;
  }
}

/**
 * Shown when a screen throws or cannot be loaded. If the screen could not be loaded, reloads the page as soon as the
 * server responds (`reloadOnce`).
 */
function ErrorScreen({ error }: { error: unknown }) {
  const { t } = useTranslation('common');
  const [isHealing, setHealing] = useState(() => isChunkError(error));

  useEffect(() => {
    if (!isChunkError(error)) return window.reportError(error);
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const heal = async () => {
      const chunk = await findChunk(error);
      if (!isCurrent) return;
      if (chunk === null) timer = setTimeout(heal, RETRY_MS);
      if (chunk === null || !reloadOnce()) setHealing(false);
    };
    void heal();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
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
