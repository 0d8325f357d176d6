import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { MatchingPostMessage } from '#contract/live-messages.ts';
import { withReference } from '#web/lib/api-client.ts';
import { postPath } from '#web/lib/paths.ts';
import { postOptions } from '#web/lib/post-query.ts';
import { useSession } from '#web/lib/session.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Confetti } from '#web/ui/confetti.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ReasonList } from '#web/ui/reason-list.tsx';
import { ThisIsMine } from '#web/ui/this-is-mine.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { dismissMatch, dismissNotice } from './api.ts';
import { MoreWaiting } from './more-waiting.tsx';
import { NoticeContact } from './notice-contact.tsx';
import { NoticeFacts } from './notice-facts.tsx';

type Props = { message: MatchingPostMessage; waiting: number; onClose: () => void; onDismissed: () => void };

/**
 * "A Matching Post Found!": the post, why it matches, and what to do about it. Where it is somebody who thinks so, and
 * not the matching that is sure, that is said, and there is nothing to celebrate yet.
 */
export function MatchModal({ message, waiting, onClose, onDismissed }: Props) {
  const { t } = useTranslation('notices');
  const client = useQueryClient();
  const isPossible = message.confidence === 'possible';
  const dismissal = useMutation({
    mutationFn: () => (isPossible ? dismissMatch(client, message.pair_id) : dismissNotice(client, message.id)),
    onSuccess: () => showToast.success(t(isPossible ? 'notThisDone' : 'notMineDone')),
  });

  return (
    <Dialog
      title={t(isPossible ? 'possibleTitle' : 'modalTitle')}
      onClose={onClose}
      backdrop={!isPossible && <Confetti />}
    >
      {isPossible && <p>{t('possibleText')}</p>}
      <div className="grid gap-2">
        <p dir="auto" className="wrap-anywhere font-bold text-lg">
          {message.title}
        </p>
        <NoticeFacts message={message} />
      </div>
      {message.reasons.length > 0 && (
        <section className="grid gap-2 rounded-xl bg-found-soft p-4">
          <h3 className="font-semibold">{t('reasonsTitle')}</h3>
          <ReasonList reasons={message.reasons} />
        </section>
      )}
      <NoticeContact message={message} />
      <ClaimMatch message={message} onClose={onClose} />
      <div className="grid grid-cols-2 gap-2">
        <ButtonLink look="secondary" to={postPath(message.post_id)} onClick={onClose}>
          {t('viewPost')}
        </ButtonLink>
        {/* An answer that comes after this notice was closed must not close the next one. */}
        <Button
          look="secondary"
          isBusy={dismissal.isPending}
          onClick={() => dismissal.mutate(undefined, { onSuccess: onDismissed })}
        >
          {t('notThis')}
        </Button>
      </div>
      {dismissal.isError && <Banner tone="error">{withReference(t('notMineFailed'), dismissal.error)}</Banner>}
      <MoreWaiting count={waiting} onNext={onClose} />
    </Dialog>
  );
}

/** A reader who has lost something can say at once that this is it. The notice itself does not tell which post is whose. */
function ClaimMatch({ message, onClose }: { message: MatchingPostMessage; onClose: () => void }) {
  const viewerId = useSession()?.userId ?? null;
  const { data: ownPost } = useQuery(postOptions(viewerId, message.your_post_id));
  if (ownPost?.posted_by !== 'owner') return null;
  const look = message.phone_number ? 'secondary' : 'primary';
  return <ThisIsMine postId={message.post_id} look={look} onClick={onClose} />;
}
