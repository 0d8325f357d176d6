import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Me } from '#contract/accounts.ts';
import { withReference } from '#web/lib/api-client.ts';
import { noticeSettingsQuery, pushKeyQuery } from '#web/lib/push-query.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { NoticeSettingsForm } from './notice-settings-form.tsx';
import { PushHere } from './push-here.tsx';

/** How the reader is told when no page is open, on all their phones and on this one. */
export function NoticeSettingsPart({ me }: { me: Me }) {
  const { t } = useTranslation('settings');
  const query = useQuery(noticeSettingsQuery);
  const failure = useFailure(query);
  const pushKey = useQuery(pushKeyQuery);
  return (
    <section className="grid gap-3">
      <h2>{t('noticesTitle')}</h2>
      <p className="text-muted">{t('noticesText')}</p>
      {failure && <LoadFailure title={withReference(t('noticesFailed'), failure)} query={query} />}
      {!failure && (query.isPending || pushKey.isPending) && <div className="skeleton h-96" aria-busy="true" />}
      {query.data && !pushKey.isPending && (
        <>
          {pushKey.isSuccess && <PushHere />}
          <NoticeSettingsForm me={me} settings={query.data} hasPush={pushKey.isSuccess} />
        </>
      )}
    </section>
  );
}
