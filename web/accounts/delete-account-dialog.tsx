import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { passwordAgainSchema } from '#contract/leaving.ts';
import { useForm } from '#web/lib/use-form.ts';
import { PasswordField } from '#web/ui/password-field.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { FormDialog } from './form-dialog.tsx';
import { deleteAccount } from './own-api.ts';

/** Says what goes, what stays and who is told, before the password that it takes. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings');
  const { form, field, submit } = useForm({ schema: passwordAgainSchema, initial: { current_password: '' } });
  const deleting = useMutation({
    mutationFn: deleteAccount,
    // The sign-in is shown by then, and this dialog is gone.
    onSuccess: () => showToast.success(t('deleted')),
  });
  return (
    <FormDialog
      title={t('deleteTitle')}
      form={form}
      saving={deleting}
      onSubmit={submit((input) => deleting.mutate(input))}
      submitLabel={t('deleteNow')}
      busyLabel={t('deleting')}
      look="danger"
      onClose={onClose}
    >
      <ul className="grid list-disc gap-2 pl-5">
        <li>{t('deleteGoes')}</li>
        <li>{t('deleteStays')}</li>
        <li>{t('deleteTold')}</li>
        <li>{t('deleteLater')}</li>
      </ul>
      <PasswordField label={t('currentPassword')} autoComplete="current-password" {...field('current_password')} />
    </FormDialog>
  );
}
