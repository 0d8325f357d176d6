import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { passwordChangeSchema } from '#contract/accounts.ts';
import { PASSWORD_MAX_CHARS } from '#contract/limits.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { useForm } from '#web/lib/use-form.ts';
import { PasswordField } from '#web/ui/password-field.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { FormDialog } from './form-dialog.tsx';
import { changePassword } from './own-api.ts';

export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const { form, field, submit, showServerErrors } = useForm({
    schema: passwordChangeSchema,
    initial: { current_password: '', new_password: '', confirm: '' },
    check: ({ new_password, confirm }) => {
      if (confirm === '') return { confirm: t('confirmRequired') };
      return confirm === new_password ? {} : { confirm: t('passwordsDiffer') };
    },
  });
  const saving = useMutation({
    mutationFn: changePassword,
    onSuccess() {
      showToast.success(t('passwordChanged'));
      void client.invalidateQueries({ queryKey: queryKeys.devices });
    },
    onError: showServerErrors,
  });
  return (
    <FormDialog
      title={t('changePassword')}
      form={form}
      saving={saving}
      onSubmit={submit(({ confirm: _same, ...passwords }) => saving.mutate(passwords, { onSuccess: onClose }))}
      submitLabel={t('changePassword')}
      busyLabel={t('saving')}
      onClose={onClose}
    >
      <p className="text-muted">{t('changePasswordText')}</p>
      <PasswordField label={t('currentPassword')} autoComplete="current-password" {...field('current_password')} />
      <PasswordField
        label={t('newPassword')}
        hint={t('newPasswordHint')}
        autoComplete="new-password"
        maxLength={PASSWORD_MAX_CHARS}
        {...field('new_password')}
      />
      <PasswordField
        label={t('confirmPassword')}
        autoComplete="new-password"
        maxLength={PASSWORD_MAX_CHARS}
        {...field('confirm')}
      />
    </FormDialog>
  );
}
