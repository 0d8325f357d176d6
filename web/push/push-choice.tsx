import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { getSession } from '#web/api/session.ts';
import { late } from '#web/lib/late.ts';
import { Banner } from '#web/ui/banner.tsx';
import { LatePart } from '#web/ui/late.tsx';
import { subscribe, unsubscribe } from './subscription.ts';

/** `begin` switches this phone's pushes on, and returns whether the user allowed them. `end` switches them off. */
export function usePushChoice() {
  const client = useQueryClient();
  const begin = useMutation({
    mutationFn: async () => {
      const session = getSession();
      if (!session || !(await subscribe(session))) return false;
      // The account's settings may switch pushes off for all phones. This code switches them on again, because the user
      // has just asked for pushes.
      const settings = await client.fetchQuery({ ...noticeSettingsQuery, staleTime: 0 });
      if (!settings.push) {
        const changed = await api('PUT /me/notice-settings', { body: { ...settings, push: true } });
        client.setQueryData(noticeSettingsQuery.queryKey, changed);
      }
      return true;
    },
  });
  const end = useMutation({ mutationFn: () => unsubscribe(getSession()) });
  return { begin, end };
}

/** Explains that the user has blocked notifications in the browser, and where to allow them. */
export function PushRefused() {
  const { t } = useTranslation('push');
  return (
    <Banner tone="notice">
      <p className="font-semibold">{t('refusedTitle')}</p>
      <p>{t('refused')}</p>
      <p>{t('emailToo')}</p>
    </Banner>
  );
}

const latePicture = late(async () => (await import('./home-screen-picture.tsx')).HomeScreenPicture);

/** Explains that an iPhone shows pushes only for an app on the home screen. */
export function HomeScreenFirst() {
  const { t } = useTranslation('push');
  return (
    <div className="grid items-center gap-4 sm:grid-cols-[1fr_auto]">
      <div className="grid gap-2">
        <h2>{t('iphoneTitle')}</h2>
        <ol className="grid list-decimal gap-1 pl-5">
          <li>{t('iphoneShare')}</li>
          <li>{t('iphoneAdd')}</li>
          <li>{t('iphoneOpen')}</li>
        </ol>
        <p className="text-muted text-sm">{t('emailToo')}</p>
      </div>
      <div className="mx-auto h-48 w-56">
        <LatePart part={latePicture} />
      </div>
    </div>
  );
}

/**
 * The server's key for subscriptions. If the server sends no pushes, the query fails and the app mentions no pushes.
 */
export const pushKeyQuery = queryOptions({
  queryKey: queryKeys.pushKey,
  queryFn: ({ signal }) => api('GET /push/key', { signal }),
});

export const noticeSettingsQuery = queryOptions({
  queryKey: queryKeys.noticeSettings,
  queryFn: ({ signal }) => api('GET /me/notice-settings', { signal }),
});
