import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import type { Me } from '#contract/accounts.ts';
import { DAY_MS } from '#contract/durations.ts';
import { onNumberNeeded } from '#web/api/client.ts';
import { meQuery } from '#web/api/me.ts';
import { queryClient } from '#web/api/queries.ts';
import { useSession } from '#web/api/session.ts';
import { paths } from '#web/lib/paths.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';

/**
 * Asks users with an unproven phone number to prove it, at most weekly. Users without a phone number are asked only
 * when they need one.
 */
export function NumberBar() {
  const session = useSession();
  return (
    session && (
      <QueryClientProvider client={queryClient}>
        <Asking key={session.userId} />
      </QueryClientProvider>
    )
  );
}

function Asking() {
  const { data: me, refetch } = useQuery(meQuery);
  const [isDue] = useState(isToBeAsked);
  const [isClosed, setIsClosed] = useState(false);
  const { pathname, search } = useLocation();
  useEffect(
    () =>
      onNumberNeeded(() => {
        setIsClosed(false);
        void refetch();
      }),
    [refetch],
  );
  const isAsking = me !== undefined && isMissing(me, isDue) && !isClosed && pathname !== paths.proveNumber;
  useEffect(() => {
    if (isAsking) noteAsked();
  }, [isAsking]);
  if (!isAsking) return null;

  function close() {
    setIsClosed(true);
    // The pressed "Later" button is removed with the bar, so the focus moves to the page's content.
    document.getElementById('content')?.focus({ preventScroll: true });
  }

  return <Bar number={me.whatsapp_number} from={pathname + search} onLater={close} />;
}

function isMissing({ whatsapp_number, is_whatsapp_verified }: Me, isDue: boolean): boolean {
  return whatsapp_number === null || (isDue && is_whatsapp_verified === false);
}

function Bar({ number, from, onLater }: { number: string | null; from: string; onLater: () => void }) {
  const { t } = useTranslation('numbers');
  return (
    <div className="bottom-bars">
      <section
        aria-label={t('proveTitle')}
        className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-line border-t bg-surface px-4 py-2.5"
      >
        <p>{number === null ? t('barLost') : t('barText', { number })}</p>
        <div className="flex flex-wrap gap-2">
          <ButtonLink to={paths.proveNumber} state={{ from }} className="px-3!">
            {t(number === null ? 'barAdd' : 'barGo')}
          </ButtonLink>
          <Button look="quiet" className="px-3!" onClick={onLater}>
            {t('barLater')}
          </Button>
        </div>
      </section>
    </div>
  );
}

/**
 * The key, in local storage, of the time at which this phone last asked the user to prove the phone number. The account
 * does not store this time, so that a user with two phones is asked on both.
 */
const KEY = 'numberAskedAt';
const WEEK_MS = 7 * DAY_MS;

/** Whether a week has passed since this phone last asked for the proof. */
function isToBeAsked(): boolean {
  return Date.now() - Number(localStorage.getItem(KEY) ?? 0) >= WEEK_MS;
}

function noteAsked(): void {
  try {
    localStorage.setItem(KEY, String(Date.now()));
  } catch {
    // If the storage is full, the user is asked again sooner.
  }
}
