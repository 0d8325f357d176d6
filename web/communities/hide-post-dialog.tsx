import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';
import { hidePost } from './posts-api.ts';
import { problemOf } from './problem-of.ts';
import { useModeration } from './use-moderation.ts';

type Props = { communityId: string; post: Post; onHidden: () => void; onClose: () => void };

/** Asks for the reason, which the author reads as it is written. */
export function HidePostDialog({ communityId, post, onHidden, onClose }: Props) {
  const { t } = useTranslation('community');
  const hiding = useModeration({
    take: (reason: string) => hidePost({ communityId, postId: post.id, reason }),
    doneText: t('postHidden'),
    onDone() {
      flushSync(onClose);
      onHidden();
    },
  });
  return (
    <ReasonDialog
      title={t('hideTitle', { title: post.title })}
      text={t('hideText')}
      label={t('hideReason')}
      hint={t('hideHint')}
      action={t('hidePost')}
      problem={hiding.error && problemOf(hiding.error, t)}
      isBusy={hiding.isPending}
      onSubmit={(reason) => hiding.mutate(reason)}
      onClose={onClose}
    />
  );
}
