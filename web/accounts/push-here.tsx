import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isSubscribed } from '#web/lib/push-subscription.ts';
import { arePushesRefused, pushSupport } from '#web/lib/push-support.ts';
import { useSession } from '#web/lib/session.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { HomeScreenFirst } from '#web/ui/home-screen-first.tsx';
import { PushRefused } from '#web/ui/push-refused.tsx';
import { usePushChoice } from '#web/ui/use-push-choice.ts';

/** Whether this phone is told, and what can be done about it; nothing where its browser could not be. */
export function PushHere() {
  const support = pushSupport();
  if (support === 'none') return null;
  if (support === 'here') return <Choice />;
  return (
    <div className="card">
      <HomeScreenFirst />
    </div>
  );
}

function Choice() {
  const { t } = useTranslation('push');
  const userId = useSession()?.userId ?? '';
  const [isOn, setIsOn] = useState(() => isSubscribed(userId));
  const { begin, end } = usePushChoice();
  const card = useRef<HTMLDivElement>(null);
  const hasFailed = begin.isError || end.isError;

  /** The button that was pressed goes, and another takes its place. */
  function setDone(isOnNow: boolean) {
    setIsOn(isOnNow);
    if (isOnNow !== isOn || arePushesRefused()) card.current?.focus();
  }

  if (arePushesRefused()) {
    return (
      <div ref={card} tabIndex={-1} className="outline-none">
        <PushRefused />
      </div>
    );
  }
  return (
    <div ref={card} tabIndex={-1} className="card grid gap-3 outline-none">
      {hasFailed && <Banner tone="error">{t('failed')}</Banner>}
      <p role="status">{isOn ? t('here') : t(end.isSuccess ? 'ended' : 'notHere')}</p>
      {isOn ? (
        <Button
          // Another button than the one that takes its place: a double press is no change of mind.
          key="end"
          look="secondary"
          isBusy={end.isPending}
          onClick={() => end.mutate(undefined, { onSuccess: () => setDone(false) })}
        >
          {t('endHere')}
        </Button>
      ) : (
        <Button
          key="begin"
          icon="bell"
          isBusy={begin.isPending}
          busyLabel={t('asking')}
          onClick={() => begin.mutate(undefined, { onSuccess: setDone })}
        >
          {t('beginHere')}
        </Button>
      )}
    </div>
  );
}
