import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PASSWORD_MIN_CHARS } from '#contract/limits.ts';
import { ApiError, failureText } from '#web/api/client.ts';
import { useRedirect } from '#web/lib/address.ts';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { NewPasswordFields } from '#web/ui/choice-fields.tsx';
import { useForm } from '#web/ui/form.ts';
import { isCodeOver, resetPassword } from './api.ts';
import { expireCode, forgetReset, REDIRECT_MS } from './pending-reset.ts';

/**
 * Sets the new password with the verification code that the previous step checked. If the server no longer accepts the
 * code, the user requests another one.
 */
export function PasswordStep({
  phone,
  code,
  onCodeRefused,
}: {
  phone: string;
  code: string;
  onCodeRefused: (reason: string) => void;
}) {
  const { t } = useTranslation('recovery');
  const { t: tField } = useTranslation('fields');
  const { form, field, submit, values } = useForm({ initial: { new_password: '', confirm: '' } });
  const { new_password: password, confirm } = values;
  const [problem, setProblem] = useState<string | null>(null);

  const reset = useMutation({
    mutationFn: () => resetPassword({ whatsapp_number: phone, verification_code: code, new_password: password }),
    onSuccess: forgetReset,
    onError(error) {
      const reason = failureText(error, t('resetFailed'), t('genericError'));
      if (!isCodeOver(error) && !(error instanceof ApiError && error.code === 'invalid_code'))
        return setProblem(reason);
      expireCode();
      onCodeRefused(reason);
    },
  });
  useRedirect(reset.isSuccess, paths.login, REDIRECT_MS);

  // Moves the focus into this form, because the pressed button was removed with the previous step.
  useEffect(() => form.current?.querySelector('input')?.focus(), [form]);

  /** Both fields are required before they are compared (docs/product.md X3). */
  function findProblem(): string | null {
    if (!password || !confirm) return t('passwordsRequired');
    if (password !== confirm) return t('passwordsDiffer');
    return password.length < PASSWORD_MIN_CHARS ? tField('password_too_short') : null;
  }

  function send() {
    if (reset.isPending || reset.isSuccess) return;
    const found = findProblem();
    setProblem(found);
    if (found === null) reset.mutate();
  }

  return (
    <form ref={form} noValidate onSubmit={submit(send)} className="card grid gap-4">
      {problem ? (
        <Banner tone="error">{problem}</Banner>
      ) : (
        <Banner tone="success">{reset.isSuccess ? t('resetDone') : t('codeVerified')}</Banner>
      )}
      <NewPasswordFields
        label={t('newPassword')}
        hint={t('passwordHint')}
        confirmLabel={t('confirmPassword')}
        password={field('new_password')}
        confirm={field('confirm')}
      />
      <Button type="submit" isBusy={reset.isPending || reset.isSuccess}>
        {reset.isPending ? t('resettingPassword') : t('resetPassword')}
      </Button>
    </form>
  );
}
