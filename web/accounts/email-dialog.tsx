import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Me } from '#contract/accounts.ts';
import { emailChangeSchema } from '#contract/email.ts';
import { EMAIL_MAX_CHARS } from '#contract/limits.ts';
import { useForm } from '#web/lib/use-form.ts';
import { TextField } from '#web/ui/field.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { askForEmailLink } from './own-api.ts';

/** Sends a link to the e-mail that is to be proven, be it the present one or another. */
export function EmailDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const { t } = useTranslation('settings');
  const { form, field, submit, showServerErrors } = useForm({
    schema: emailChangeSchema,
    initial: { email: me.is_email_proven ? '' : me.email, current_password: '' },
  });
  const sending = useMutation({ mutationFn: askForEmailLink, onError: showServerErrors });
  return (
    <FormDialog
      title={t('emailTitle')}
      form={form}
      saving={sending}
      done={
        sending.isSuccess && <p className="wrap-anywhere">{t('linkSent', { email: sending.variables.email.trim() })}</p>
      }
      onSubmit={submit((input) => sending.mutate(input))}
      submitLabel={t('sendLink')}
      busyLabel={t('sendingLink')}
      onClose={onClose}
    >
      <p className="text-muted">{t('emailText')}</p>
      <TextField label={t('email')} type="email" autoComplete="email" maxLength={EMAIL_MAX_CHARS} {...field('email')} />
      <PasswordField label={t('currentPassword')} autoComplete="current-password" {...field('current_password')} />
    </FormDialog>
  );
}
