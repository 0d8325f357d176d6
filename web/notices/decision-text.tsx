import { useTranslation } from 'react-i18next';
import type { CommunityDecisionMessage } from '#contract/live-messages.ts';

export function DecisionText({ message: { type, name, reason } }: { message: CommunityDecisionMessage }) {
  const { t } = useTranslation('notices');
  return (
    <div className="wrap-anywhere grid gap-2">
      <p>{t(type === 'community_approved' ? 'approvedText' : 'rejectedText', { name })}</p>
      {reason && <p className="whitespace-pre-line">{t('rejectedReason', { reason })}</p>}
    </div>
  );
}
