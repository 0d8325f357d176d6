import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '#web/lib/api-client.ts';
import { noticeSettingsQuery } from '#web/lib/push-query.ts';
import { subscribe, unsubscribe } from '#web/lib/push-subscription.ts';
import { getSession } from '#web/lib/session.ts';

/** The reader's word on being told on this phone. `begin` answers whether they allowed it in the browser. */
export function usePushChoice() {
  const client = useQueryClient();
  const begin = useMutation({
    mutationFn: async () => {
      const session = getSession();
      if (!session || !(await subscribe(session))) return false;
      // Whoever had switched them off for all their phones wants them again.
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
