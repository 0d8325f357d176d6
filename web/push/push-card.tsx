import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DAY_MS } from '#contract/durations.ts';
import { useSession } from '#web/api/session.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { HomeScreenFirst, PushRefused, pushKeyQuery, usePushChoice } from './push-choice.tsx';
import { isSubscribed } from './subscription.ts';
import { arePushesRefused, pushSupport } from './support.ts';

/**
 * Asks signed-in users whether to send pushes to this phone, at most once in thirty days. Shows nothing if the user
 * has blocked notifications, or if the browser or the server does not support pushes.
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
    // Moves the focus to the page's content, because the pressed button is removed with its card.
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
    // Moves the focus to the card, because the pressed button has been removed.
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

/**
 * The start of a key in local storage; the account's id follows. So the app asks about pushes on each phone of a user,
 * and asks each account on a shared phone.
 */
const PREFIX = 'pushAskedAt:';
const DAYS = 30;

/** Whether thirty days have passed since this person was asked on this phone. */
export function mayAskForPush(userId: string): boolean {
  return Date.now() - Number(localStorage.getItem(PREFIX + userId) ?? 0) >= DAYS * DAY_MS;
}

export function noteAskedForPush(userId: string): void {
  try {
    localStorage.setItem(PREFIX + userId, String(Date.now()));
  } catch {
    // If the storage is full, the user is asked again sooner.
  }
}
