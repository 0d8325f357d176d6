import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS } from '#contract/limits.ts';
import { ApiError, failureText } from '#web/api/client.ts';
import { useRedirect } from '#web/lib/address.ts';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/choice-fields.tsx';
import { isCodeOver, resetPassword } from './api.ts';
import { expireCode, forgetReset, REDIRECT_MS } from './pending-reset.ts';

/** Sets the new password with the verified code. If the server now refuses the code, the user requests another one. */
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
  const form = useRef<HTMLFormElement>(null);
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
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

  // Moves the focus, because the pressed button was removed with the previous step.
  useEffect(() => form.current?.querySelector('input')?.focus(), []);

  /** Both fields are required before they are compared (docs/product.md X3). */
  function findProblem(): string | null {
    if (!password || !confirmation) return t('passwordsRequired');
    if (password !== confirmation) return t('passwordsDiffer');
    return password.length < PASSWORD_MIN_CHARS ? tField('password_too_short') : null;
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (reset.isPending || reset.isSuccess) return;
    const found = findProblem();
    setProblem(found);
    if (found === null) reset.mutate();
  }

  return (
    <form ref={form} noValidate onSubmit={submit} className="card grid gap-4">
      {problem ? (
        <Banner tone="error">{problem}</Banner>
      ) : (
        <Banner tone="success">{reset.isSuccess ? t('resetDone') : t('codeVerified')}</Banner>
      )}
      <PasswordField
        label={t('newPassword')}
        hint={t('passwordHint')}
        name="new_password"
        autoComplete="new-password"
        maxLength={PASSWORD_MAX_CHARS}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <PasswordField
        label={t('confirmPassword')}
        name="confirm"
        autoComplete="new-password"
        maxLength={PASSWORD_MAX_CHARS}
        value={confirmation}
        onChange={(event) => setConfirmation(event.target.value)}
      />
      <Button type="submit" isBusy={reset.isPending || reset.isSuccess}>
        {reset.isPending ? t('resettingPassword') : t('resetPassword')}
      </Button>
    </form>
  );
}
