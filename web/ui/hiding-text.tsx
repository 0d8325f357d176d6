import { useTranslation } from 'react-i18next';
import type { HiddenBy } from '#contract/posts.ts';
import { isReportReason } from '#contract/report-reasons.ts';

/** How the post is shown again, if no change of its author's can achieve that. */
const WHAT_NEXT: Partial<Record<HiddenBy, 'hiddenUntilReinstated' | 'hiddenUntilCommunityReinstated'>> = {
  suspension: 'hiddenUntilReinstated',
  community_suspension: 'hiddenUntilCommunityReinstated',
};

/** To its author: who hides the post, why, and what can be done about it. */
export function HidingText({ by, reason }: { by: HiddenBy; reason: string | null }) {
  const { t } = useTranslation('notices');
  return (
    <div className="wrap-anywhere grid gap-2">
      <p>{t(`hiddenBy.${by}`)}</p>
      {reason && !WHAT_NEXT[by] && (
        <p className="whitespace-pre-line">
          {by === 'reports' && isReportReason(reason) ? t(`reportedFor.${reason}`) : t('rejectedReason', { reason })}
        </p>
      )}
      <p>{t(WHAT_NEXT[by] ?? 'hiddenWhatToDo')}</p>
    </div>
  );
}
