import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useHeldNotices, wantNotices } from '#web/lib/held-notices.ts';
import { withTexts } from '#web/lib/i18n.ts';
import { takeNewVersion } from '#web/lib/new-version.ts';
import { useOutbox } from '#web/lib/outbox.ts';
import { hasPhotos, onPhotosChange } from '#web/lib/photos-here.ts';
import { useLate } from '#web/lib/use-late.ts';
import { useOnline } from '#web/lib/use-online.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { registerWorker } from './worker-registration.ts';

/** What the network and the next version have to say, at the foot of the screen, where it covers no heading. */
export function OfflineBars() {
  const [hasNewVersion, setHasNewVersion] = useState(false);
  useEffect(() => registerWorker(() => setHasNewVersion(true)), []);
  return (
    // Only what is new is read out: each bar as it comes, and of the photos what changes.
    <div className="bottom-bars" role="status" aria-atomic={false}>
      <HeldNoticesBar />
      <OfflineBar />
      <WaitingThings />
      {hasNewVersion && <NewVersionBar onLater={() => setHasNewVersion(false)} />}
    </div>
  );
}

const loadWaiting = withTexts(async () => (await import('./waiting.tsx')).Waiting, 'photos');

/** What sends the posts and the photos that wait on this phone comes with the first of them. */
function WaitingThings() {
  const havePhotos = useSyncExternalStore(onPhotosChange, hasPhotos);
  const Waiting = useLate(loadWaiting, useOutbox().length > 0 || havePhotos);
  return Waiting && <Waiting />;
}

/** That something has come, which is shown once the form is done with, or at once for who wants it. */
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
      {/* Pressed with a finger it leaves the focus in the form, which gets it back when the notice is closed. */}
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
    // The button goes with its bar, and the focus with it.
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
