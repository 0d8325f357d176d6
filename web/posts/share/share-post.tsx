import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { late } from '#web/lib/late.ts';
import { DialogButton } from '#web/ui/late.tsx';

const lateDialog = late(async () => (await import('./share-dialog.tsx')).ShareDialog, 'sharing');

/** The button that shares a post. Hidden if the people who get the link could not open the post. */
export function SharePost({ post }: { post: Post }) {
  const { t } = useTranslation('posts');
  if (post.is_hidden || !['open', 'returned'].includes(post.state)) return null;
  return (
    <DialogButton name="share" about={post.id} look="secondary" icon="share" label={t('share')} part={lateDialog}>
      {(ShareDialog, close) => <ShareDialog post={post} onClose={close} />}
    </DialogButton>
  );
}
