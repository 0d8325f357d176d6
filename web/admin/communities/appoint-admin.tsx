import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminCommunity } from '#contract/admin.ts';
import { AdminQueryState } from '#web/admin/admin-query-state.tsx';
import { appointAdmin, communityMembersQuery } from '#web/admin/api.ts';
import { useDecision } from '#web/admin/use-decision.ts';
import { failureText } from '#web/api/client.ts';
import { rowsOf } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { formatDate } from '#web/lib/format.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialogs.tsx';

/** Makes a member the admin of a community that has none. */
export function AppointAdmin({ community }: { community: AdminCommunity }) {
  const { t } = useTranslation('admin');
  const [isChoosing, setIsChoosing] = useState(false);
  return (
    <>
      <Banner tone="notice">{t('community.withoutAdmin')}</Banner>
      <Button className="justify-self-start" onClick={() => setIsChoosing(true)}>
        {t('community.appoint')}
      </Button>
      {isChoosing && <AppointDialog community={community} onClose={() => setIsChoosing(false)} />}
    </>
  );
}

function AppointDialog({ community: { id, name }, onClose }: { community: AdminCommunity; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const list = useInfiniteQuery(communityMembersQuery(id));
  const appointing = useDecision({
    decide: appointAdmin,
    doneText: t('community.appointedToast', { name }),
    stale: [queryKeys.admin.allCommunities, queryKeys.communities.all],
    onDone: onClose,
    isInDialog: true,
  });
  return (
    <Dialog title={t('community.appointTitle', { name })} onClose={onClose}>
      <p>{t('community.appointText')}</p>
      {appointing.error && <Banner tone="error">{failureText(appointing.error, t('failed'))}</Banner>}
      <AdminQueryState query={list}>
        {() => (
          <ul className="grid gap-2">
            {rowsOf(list.data).map(({ user_id: userId, username, joined_at }) => (
              <li key={userId} className="flex flex-wrap items-center justify-between gap-2 border-line border-b pb-2">
                <div className="min-w-0">
                  <p dir="auto" className="wrap-anywhere font-semibold">
                    {username}
                  </p>
                  <p className="text-muted text-sm">{t('community.joinedOn', { date: formatDate(joined_at) })}</p>
                </div>
                <Button
                  look="secondary"
                  aria-label={t('community.appointNamed', { name: username })}
                  isBusy={appointing.isPending}
                  onClick={() => appointing.mutate({ id, userId })}
                >
                  {t('community.appointThis')}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </AdminQueryState>
    </Dialog>
  );
}
