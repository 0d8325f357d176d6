import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Claim } from '#contract/claims.ts';
import { failureText } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmButtons, Dialog } from '#web/ui/dialogs.tsx';
import { blockOtherSide } from './api.ts';

/** Explains what a block does before the user confirms it. */
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
          {blocking.error && (
            <Banner tone="error">{failureText(blocking.error, t('stepFailed'), t('noAnswer'))}</Banner>
          )}
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
