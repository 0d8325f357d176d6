import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { failureText } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { blockAuthor, changeCachedPost, unblockLast } from '#web/posts/api.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmButtons, Dialog } from '#web/ui/dialogs.tsx';

/** Explains a block before the user confirms it. Afterwards offers to undo it. */
export function BlockDialog({ post, onClose }: { post: Post; onClose: (isBlocked: boolean) => void }) {
  const { t } = useTranslation(['posts', 'common']);
  const client = useQueryClient();
  const isOpen = useRef(true);
  const isBlocked = useRef(false);
  const blocking = useMutation({ mutationFn: () => blockAuthor(post.id), onSuccess: () => settle(true) });
  const undoing = useMutation({
    mutationFn: unblockLast,
    onSuccess() {
      settle(false);
      if (isOpen.current) onClose(false);
    },
  });

  // Calls `settle` in a cleanup, which also runs if the user leaves the dialog by the browser's back button.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the dialog is removed
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
      settle(isBlocked.current);
    };
  }, []);

  /**
   * Records whether the author is blocked. Refetches nothing while the dialog is open, because the post and the
   * dialog's undo button would disappear.
   */
  function settle(isNowBlocked: boolean) {
    const hasChanged = isNowBlocked || isBlocked.current;
    isBlocked.current = isNowBlocked;
    if (isOpen.current || !hasChanged) return;
    if (isNowBlocked) changeCachedPost(client, post.id, () => null);
    for (const queryKey of [queryKeys.posts.all, queryKeys.matches.all, queryKeys.notices, queryKeys.blocks])
      void client.invalidateQueries({ queryKey });
  }

  const error = undoing.error ?? blocking.error;
  const close = () => onClose(blocking.isSuccess);
  return (
    <Dialog title={t('blockTitle')} onClose={close}>
      <p dir="auto" className="wrap-anywhere font-semibold">
        {post.title}
      </p>
      {error && <Banner tone="error">{failureText(error, t('blockFailed'))}</Banner>}
      <Banner tone="success">{blocking.isSuccess && t('blocked')}</Banner>
      {blocking.isSuccess ? (
        <div className="grid grid-cols-2 gap-2">
          <Button look="secondary" isBusy={undoing.isPending} onClick={() => undoing.mutate(post.title)}>
            {t('undo')}
          </Button>
          <Button onClick={close}>{t('common:close')}</Button>
        </div>
      ) : (
        <>
          <p>{t('blockText')}</p>
          <ConfirmButtons
            label={t('blockConfirm')}
            isBusy={blocking.isPending}
            onCancel={close}
            onConfirm={() => blocking.mutate()}
          />
        </>
      )}
    </Dialog>
  );
}
