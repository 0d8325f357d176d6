import { useTranslation } from 'react-i18next';
import { isReportReason } from '#contract/kinds.ts';
import type { HiddenBy } from '#contract/posts.ts';

/**
 * The text that explains when the post becomes visible again. Other reasons for hiding have no such text: the author
 * can edit the post, and an admin then looks at it again.
 */
const WHAT_NEXT: Partial<Record<HiddenBy, 'hiddenUntilReinstated' | 'hiddenUntilCommunityReinstated'>> = {
  suspension: 'hiddenUntilReinstated',
  community_suspension: 'hiddenUntilCommunityReinstated',
};

/** Says by whom the post is hidden, why, and what its author can do. */
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
