import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { resetRequestSchema } from '#contract/recovery.ts';
import { normaliseAccountPhone } from '#contract/typed-numbers.ts';
import { useRedirect } from '#web/lib/address.ts';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { useForm } from '#web/ui/form.ts';
import { describeRequestFailure, requestCode } from './api.ts';
import { keepPhone, REDIRECT_MS } from './pending-reset.ts';

/** /forgot-password */
export function ForgotPasswordScreen() {
  const { t } = useTranslation('recovery');
  return (
    <div className="mx-auto grid max-w-md gap-5">
      <div className="grid gap-2">
        <h1>{t('forgotTitle')}</h1>
        <p className="lead">{t('forgotText')}</p>
      </div>
      <RequestForm />
      <Link className="link justify-self-start py-1" to={paths.login}>
        {t('backToLogin')}
      </Link>
    </div>
  );
}

function RequestForm() {
  const { t } = useTranslation('recovery');
  const [problem, setProblem] = useState<string | null>(null);
  const { form, field, submit, showServerErrors } = useForm({
    schema: resetRequestSchema,
    initial: { whatsapp_number: '' },
  });
  const request = useMutation({
    async mutationFn(phone: string) {
      const askedAt = Date.now();
      await requestCode({ whatsapp_number: phone });
      keepPhone(phone, askedAt);
    },
    onError(error) {
      if (!showServerErrors(error)) setProblem(describeRequestFailure(error, t));
    },
  });
  useRedirect(request.isSuccess, paths.verifyCode, REDIRECT_MS);

  return (
    <form
      ref={form}
      noValidate
      className="card grid gap-4"
      onSubmit={submit(({ whatsapp_number }) => {
        setProblem(null);
        if (!request.isPending && !request.isSuccess) request.mutate(normaliseAccountPhone(whatsapp_number));
      })}
    >
      {problem && <Banner tone="error">{problem}</Banner>}
      <Banner tone="success">{request.isSuccess && t('codeSent')}</Banner>
      <TextField
        label={t('phoneNumber')}
        hint={t('phoneHint')}
        type="tel"
        autoComplete="tel"
        {...field('whatsapp_number')}
      />
      <Button type="submit" isBusy={request.isPending} isLocked={request.isSuccess} busyLabel={t('sendingCode')}>
        {t('sendCode')}
      </Button>
    </form>
  );
}
