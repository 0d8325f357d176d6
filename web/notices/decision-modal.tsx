import { useTranslation } from 'react-i18next';
import type { CommunityDecisionMessage } from '#contract/live-messages.ts';
import { communityPath } from '#web/lib/paths.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DecisionText } from './decision-text.tsx';
import { MoreWaiting } from './more-waiting.tsx';

/** How a community that the reader asked for was decided. */
export function DecisionModal({
  message,
  waiting,
  onClose,
}: {
  message: CommunityDecisionMessage;
  waiting: number;
  onClose: () => void;
}) {
  const { t } = useTranslation(['notices', 'common']);
  const isApproved = message.type === 'community_approved';
  return (
    <Dialog title={t(isApproved ? 'approvedTitle' : 'rejectedTitle')} onClose={onClose}>
      <DecisionText message={message} />
      {isApproved ? (
        <ButtonLink to={communityPath(message.community_id)} onClick={onClose}>
          {t('openCommunity')}
        </ButtonLink>
      ) : (
        <Button onClick={onClose}>{t('common:close')}</Button>
      )}
      <MoreWaiting count={waiting} onNext={onClose} />
    </Dialog>
  );
}
