import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mayAskForPush, noteAskedForPush } from '#web/lib/asked-for-push.ts';
import { pushKeyQuery } from '#web/lib/push-query.ts';
import { isSubscribed } from '#web/lib/push-subscription.ts';
import { arePushesRefused, pushSupport } from '#web/lib/push-support.ts';
import { useSession } from '#web/lib/session.ts';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';
import { HomeScreenFirst } from './home-screen-first.tsx';
import { PushRefused } from './push-refused.tsx';
import { usePushChoice } from './use-push-choice.ts';

/**
 * Asks whoever is signed in whether to tell them on this phone: never on arrival, once in thirty days at most, and never
 * where they have refused in the browser, where the browser could not, or where the server sends nothing.
 */
export function PushCard() {
  const userId = useSession()?.userId ?? null;
  return userId && <Asking key={userId} userId={userId} />;
}

function Asking({ userId }: { userId: string }) {
  const [isDue] = useState(() => isToBeAsked(userId));
  const [isOver, setIsOver] = useState(false);
  const { isSuccess } = useQuery({ ...pushKeyQuery, enabled: isDue });
  const isAsking = isDue && isSuccess;
  useEffect(() => {
    if (isAsking) noteAskedForPush(userId);
  }, [isAsking, userId]);
  if (!isAsking || isOver) return null;
  const end = () => {
    setIsOver(true);
    // The button goes with its card, and the focus with it.
    document.getElementById('content')?.focus({ preventScroll: true });
  };
  return pushSupport() === 'here' ? <Question onLater={end} /> : <Invitation onUnderstood={end} />;
}

function isToBeAsked(userId: string): boolean {
  return pushSupport() !== 'none' && !arePushesRefused() && !isSubscribed(userId) && mayAskForPush(userId);
}

function Question({ onLater }: { onLater: () => void }) {
  const { t } = useTranslation('push');
  const card = useRef<HTMLElement>(null);
  const { begin } = usePushChoice();
  const isRefused = begin.data === false && arePushesRefused();
  const isAnswered = begin.data === true || isRefused;
  useEffect(() => {
    // The button that had the focus is gone.
    if (isAnswered) card.current?.focus();
  }, [isAnswered]);
  return (
    <section ref={card} tabIndex={-1} aria-label={t('title')} className="card grid gap-3 outline-none">
      <Banner tone="success">{begin.data === true && t('done')}</Banner>
      {isRefused && <PushRefused />}
      {!isAnswered && (
        <>
          <h2>{t('title')}</h2>
          <p>{t('text')}</p>
          {begin.isError && <Banner tone="error">{t('failed')}</Banner>}
          <div className="flex flex-wrap gap-2">
            <Button icon="bell" isBusy={begin.isPending} busyLabel={t('asking')} onClick={() => begin.mutate()}>
              {t('yes')}
            </Button>
            <Button look="quiet" onClick={onLater}>
              {t('notNow')}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

function Invitation({ onUnderstood }: { onUnderstood: () => void }) {
  const { t } = useTranslation('push');
  return (
    <section aria-label={t('iphoneTitle')} className="card grid gap-3">
      <HomeScreenFirst />
      <Button look="secondary" className="justify-self-start" onClick={onUnderstood}>
        {t('understood')}
      </Button>
    </section>
  );
}
