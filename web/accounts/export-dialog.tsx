import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { passwordAgainSchema } from '#contract/leaving.ts';
import { saveFile } from '#web/lib/save-file.ts';
import { useForm } from '#web/lib/use-form.ts';
import { PasswordField } from '#web/ui/password-field.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { FormDialog } from './form-dialog.tsx';
import { exportData } from './own-api.ts';

const FILE_NAME = 'patikana.json';

export function ExportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings');
  const { form, field, submit } = useForm({ schema: passwordAgainSchema, initial: { current_password: '' } });
  const asking = useMutation({
    mutationFn: exportData,
    onSuccess(data) {
      saveFile(FILE_NAME, new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }));
      showToast.success(t('exported'));
    },
  });
  return (
    <FormDialog
      title={t('export')}
      form={form}
      saving={asking}
      onSubmit={submit((input) => asking.mutate(input, { onSuccess: onClose }))}
      submitLabel={t('export')}
      busyLabel={t('exporting')}
      onClose={onClose}
    >
      <p className="text-muted">{t('exportText')}</p>
      <PasswordField label={t('currentPassword')} autoComplete="current-password" {...field('current_password')} />
    </FormDialog>
  );
}
