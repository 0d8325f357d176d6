import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { HOUR_MS } from '#contract/durations.ts';
import { getSession } from '#web/api/session.ts';
import { late, useLate } from '#web/lib/late.ts';
import { takeNewVersion, whenInstalled } from '#web/lib/new-version.ts';
import { useHeldNotices, wantNotices } from '#web/lib/notice-signals.ts';
import { savesData, useOnline } from '#web/lib/online.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { useOutbox } from './outbox.ts';
import { hasPhotos, onPhotosChange } from './photos-here.ts';

/**
 * The bars about the network, held notices and a new version. They are at the foot of the screen, where they cover no
 * heading.
 */
export function OfflineBars() {
  const [hasNewVersion, setHasNewVersion] = useState(false);
  useEffect(() => registerWorker(() => setHasNewVersion(true)), []);
  return (
    // `aria-atomic` is false: otherwise a screen reader would read all bars again when one changes.
    <div className="bottom-bars" role="status" aria-atomic={false}>
      <HeldNoticesBar />
      <OfflineBar />
      <WaitingThings />
      {hasNewVersion && <NewVersionBar onLater={() => setHasNewVersion(false)} />}
    </div>
  );
}

const lateWaiting = late(async () => (await import('./waiting.tsx')).Waiting, 'photos');

/**
 * Shows and sends unsent posts and photos. The code of `Waiting` loads when there is something to send. `Waiting` then
 * stays mounted, so that it can announce that the last post or photo was sent.
 */
function WaitingThings() {
  const havePhotos = useSyncExternalStore(onPhotosChange, hasPhotos);
  const isWaiting = useOutbox().length > 0 || havePhotos;
  const isWanted = useRef(false);
  isWanted.current ||= isWaiting;
  const { Part: Waiting } = useLate(lateWaiting, { isWanted: isWanted.current });
  return Waiting && <Waiting />;
}

/** Says that a half-filled form holds notices back, with a button to show them now. */
function HeldNoticesBar() {
  const { t } = useTranslation('common');
  const count = useHeldNotices('form');
  if (count === 0) return null;
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 border-line border-t bg-accent-soft px-4 py-1.5 text-accent">
      <p className="flex items-center gap-2.5">
        <Icon name="bell" />
        {t('noticesBehindForm', { count })}
      </p>
      {/* Keeps the focus in the form during the tap: when the notice closes, the browser puts the focus back there. */}
      <Button look="quiet" onMouseDown={(event) => event.preventDefault()} onClick={wantNotices}>
        {t('showNotices')}
      </Button>
    </div>
  );
}

function OfflineBar() {
  const { t } = useTranslation('common');
  const isOnline = useOnline();
  if (isOnline) return null;
  return (
    <p className="flex items-center justify-center gap-2.5 bg-ink px-4 py-2.5 text-paper">
      <Icon name="offline" />
      {t('offline')}
    </p>
  );
}

function NewVersionBar({ onLater }: { onLater: () => void }) {
  const { t } = useTranslation('common');
  const [isTaking, setIsTaking] = useState(false);

  function update() {
    setIsTaking(true);
    void takeNewVersion(false).finally(() => window.location.reload());
  }

  function putOff() {
    // The pressed button is removed with its bar, so the focus moves.
    document.getElementById('content')?.focus();
    onLater();
  }

  return (
    <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-line border-t bg-surface px-4 py-2.5">
      <p className="flex items-center gap-2.5">
        <Icon name="sparkle" />
        {t('newVersion')}
      </p>
      <div className="flex gap-2">
        <Button isBusy={isTaking} onClick={update}>
          {t('useNewVersion')}
        </Button>
        <Button look="quiet" onClick={putOff}>
          {t('later')}
        </Button>
      </div>
    </div>
  );
}

const ADDRESS = '/service-worker.js';
/** A page may stay open for days, so it checks for new versions at intervals. */
const UPDATE_CHECK_MS = HOUR_MS;

/**
 * Registers the service worker.
 * @param onNewVersion called when a new version is installed and waits.
 * @returns a function that stops listening.
 */
function registerWorker(onNewVersion: () => void): () => void {
  const worker = navigator.serviceWorker;
  if (!worker) return () => undefined;
  const stopped = new AbortController();

  async function start(): Promise<void> {
    const registration = await worker.register(ADDRESS, { updateViaCache: 'none' });
    const announce = () => {
      if (!stopped.signal.aborted && registration.waiting && worker.controller) onNewVersion();
    };
    announce();
    registration.addEventListener(
      'updatefound',
      () => {
        if (registration.installing) void whenInstalled(registration.installing).then(announce);
      },
      { signal: stopped.signal },
    );
    const check = setInterval(() => void registration.update().catch(() => undefined), UPDATE_CHECK_MS);
    stopped.signal.addEventListener('abort', () => clearInterval(check));
    keepForLater((await worker.ready).active);
    // Ends the push subscription of a user who signed out while the network was down. For signed-in users, `usePushes`
    // in app/errands.tsx calls `settlePushes`.
    if (getSession() === null && 'Notification' in window && Notification.permission === 'granted') {
      await (await import('#web/push/subscription.ts')).settlePushes();
    }
  }

  // The registration fails in some private windows and on full disks. The app also works without a service worker.
  start().catch((error: unknown) => console.warn('No service worker:', error));
  return () => stopped.abort();
}

/** Asks the service worker to cache the files of this visit and, for signed-in users, those needed to post offline. */
function keepForLater(worker: ServiceWorker | null): void {
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name));
  const urls = loaded.filter(({ origin }) => origin === window.location.origin).map(({ pathname }) => pathname);
  worker?.postMessage({ type: 'keep', urls });
  if (getSession() && !savesData()) worker?.postMessage({ type: 'keep-all' });
}
