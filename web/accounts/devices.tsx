import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '#contract/devices.ts';
import { HOUR_MS } from '#contract/durations.ts';
import { withReference } from '#web/lib/api-client.ts';
import { describeFailure } from '#web/lib/describe-failure.ts';
import { formatAge, formatDate } from '#web/lib/format.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { devicesQuery, signOutDevice } from './own-api.ts';

/** The server knows of the last use to the hour. */

/** Where the reader is signed in, each with the way to end it. */
export function Devices() {
  const { t } = useTranslation('settings');
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useQuery(devicesQuery);
  const failure = useFailure(list);
  return (
    <section className="grid gap-3">
      <h2 ref={heading} tabIndex={-1} className="outline-none">
        {t('devicesTitle')}
      </h2>
      <p className="text-muted">{t('devicesText')}</p>
      {failure && <LoadFailure title={withReference(t('devicesFailed'), failure)} query={list} />}
      {list.isPending && !failure && <div className="skeleton h-24" aria-busy="true" />}
      {list.data?.length === 0 && <p className="card">{t('devicesNone')}</p>}
      <ul className="grid gap-3">
        {list.data?.map((device) => (
          <DeviceItem key={device.id} device={device} onSignedOut={() => heading.current?.focus()} />
        ))}
      </ul>
    </section>
  );
}

function DeviceItem({ device, onSignedOut }: { device: Device; onSignedOut: () => void }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const name = device.name || t('deviceUnknown');
  const ending = useMutation({
    mutationFn: () => signOutDevice(device.id),
    async onSuccess() {
      showToast.success(t('deviceSignedOut'));
      await client.invalidateQueries({ queryKey: queryKeys.devices });
      // The button that had the focus is gone by now.
      onSignedOut();
    },
    onError: (error) => showToast.error(describeFailure(error, t('failed')), 'device-not-signed-out'),
  });
  const isRecent = Date.now() - Date.parse(device.last_seen_at) < HOUR_MS;
  return (
    <li className="card flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0">
        <p className="wrap-anywhere font-semibold">{name}</p>
        <p className="text-muted text-sm">
          {isRecent ? t('deviceSeenNow') : t('deviceSeen', { age: formatAge(device.last_seen_at) })}
        </p>
        <p className="text-muted text-sm">{t('deviceSince', { date: formatDate(device.created_at) })}</p>
      </div>
      {device.is_this ? (
        <Badge tone="found" icon="check">
          {t('deviceThis')}
        </Badge>
      ) : (
        <Button look="secondary" isBusy={ending.isPending} onClick={() => ending.mutate()}>
          {t('deviceSignOut')} <span className="sr-only">{name}</span>
        </Button>
      )}
    </li>
  );
}
