import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryKeys } from '#web/lib/query-keys.ts';
import { showToast } from '#web/ui/toast.tsx';
import { FormDialog } from './form-dialog.tsx';
import { signOutEverywhere } from './own-api.ts';

export function SignOutEverywhereDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const ending = useMutation({
    mutationFn: signOutEverywhere,
    onSuccess() {
      showToast.success(t('signedOutEverywhere'));
      void client.invalidateQueries({ queryKey: queryKeys.devices });
    },
  });
  return (
    <FormDialog
      title={t('signOutEverywhere')}
      saving={ending}
      onSubmit={(event) => {
        event.preventDefault();
        ending.mutate(undefined, { onSuccess: onClose });
      }}
      submitLabel={t('signOutEverywhere')}
      busyLabel={t('saving')}
      onClose={onClose}
    >
      <p>{t('signOutEverywhereText')}</p>
    </FormDialog>
  );
}
