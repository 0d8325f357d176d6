import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { onOutboxSent, startOutbox } from '#web/lib/outbox-sender.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { showToast } from '#web/ui/toast.tsx';
import { PhotoBar } from './photo-bar.tsx';

/** Sends the posts that wait on this phone, says of each that it is out, and shows how their photos follow. */
export function Waiting() {
  const { t } = useTranslation('common');
  useEffect(startOutbox, []);
  useEffect(
    () =>
      onOutboxSent(({ title }) => {
        showToast.success(t('pendingSent', { title }));
        void queryClient.invalidateQueries({ queryKey: queryKeys.posts.all });
        void queryClient.invalidateQueries({ queryKey: queryKeys.matches.all });
      }),
    [t],
  );
  return <PhotoBar />;
}
