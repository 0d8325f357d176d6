import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { describeFailure } from '#web/lib/describe-failure.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmButtons } from '#web/ui/confirm-buttons.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { blockAuthor, changeCachedPost, unblockLast } from './api.ts';

/** Says what a block does before it is made, and takes it back at once if it was not meant. */
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

  // However it is left, by the browser's back too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it goes
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
      settle(isBlocked.current);
    };
  }, []);

  /** While the dialog is there so is its post, over which it stands: with it would go the way to take the block back. */
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
      {error && <Banner tone="error">{describeFailure(error, t('blockFailed'))}</Banner>}
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
