import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Claim } from '#contract/claims.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmButtons } from '#web/ui/confirm-buttons.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { blockOtherSide } from './api.ts';
import { problemOf } from './problem-of.ts';

/** Says what a block does before it is made. */
export function BlockDialog({ claim, onClose }: { claim: Claim; onClose: () => void }) {
  const { t } = useTranslation(['claims', 'common']);
  const client = useQueryClient();
  const blocking = useMutation({
    mutationFn: () => blockOtherSide(claim.id),
    onSuccess() {
      const { claims, posts, matches, notices, blocks } = queryKeys;
      for (const queryKey of [claims.all, posts.all, matches.all, notices, blocks])
        void client.invalidateQueries({ queryKey });
    },
  });
  return (
    <Dialog title={t('blockTitle')} onClose={onClose}>
      <Banner tone="success">{blocking.isSuccess && t('blocked')}</Banner>
      {blocking.isSuccess ? (
        <Button onClick={onClose}>{t('common:close')}</Button>
      ) : (
        <>
          <p>{t('blockText')}</p>
          {blocking.error && <Banner tone="error">{problemOf(blocking.error, t)}</Banner>}
          <ConfirmButtons
            label={t('blockConfirm')}
            isBusy={blocking.isPending}
            onCancel={onClose}
            onConfirm={() => blocking.mutate()}
          />
        </>
      )}
    </Dialog>
  );
}
