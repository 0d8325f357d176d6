import { useTranslation } from 'react-i18next';
import type { CommunityPage } from '#contract/communities.ts';
import { formatDate } from '#web/lib/format.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { reopenCommunity } from './api.ts';
import { problemOf } from './problem-of.ts';
import { useStep } from './use-step.ts';

/** To all members: when it closes; to its admins, or who is alone in it, the way to take that back. Nothing while it stays open. */
export function ClosingBanner({ community }: { community: CommunityPage }) {
  const { t } = useTranslation('community');
  const reopening = useStep({ take: () => reopenCommunity(community.id), doneText: t('reopened') });
  const { closes_at, member_role, member_count } = community;
  if (closes_at === null) return null;
  return (
    <Banner tone="notice">
      <div className="grid justify-items-start gap-3">
        <p>{t('closesOn', { date: formatDate(closes_at) })}</p>
        {reopening.error && <p role="alert">{problemOf(reopening.error, t)}</p>}
        {(member_role === 'admin' || member_count === 1) && (
          <Button look="secondary" isBusy={reopening.isPending} onClick={() => reopening.mutate()}>
            {t('reopen')}
          </Button>
        )}
      </div>
    </Banner>
  );
}
