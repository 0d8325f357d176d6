import { useMutation } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { registrationSchema } from '#contract/accounts.ts';
import { EMAIL_MAX_CHARS, USERNAME_MAX_CHARS } from '#contract/limits.ts';
import { normaliseAccountPhone } from '#contract/typed-numbers.ts';
import { ApiError, withDetail } from '#web/api/client.ts';
import { useRedirect } from '#web/lib/address.ts';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { checkConfirm, NewPasswordFields } from '#web/ui/choice-fields.tsx';
import { TextField } from '#web/ui/field.tsx';
import { useForm } from '#web/ui/form.ts';
import { LegalLinks } from '#web/ui/legal-links.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { askForCode, type Evidence, register } from './api.ts';
import { forgetPendingProof } from './message-proof.ts';
import { NumberEvidencePanel } from './number-evidence.tsx';

/** The wait before the redirect to the sign-in (docs/product.md T2). */
const REDIRECT_MS = 3_000;
const EMPTY = { username: '', email: '', whatsapp_number: '', password: '', confirm: '' };

export function RegisterScreen() {
  const { t } = useTranslation('accounts');
  const { state } = useLocation();
  return (
    <div className="mx-auto grid max-w-md gap-5">
      <div className="grid gap-2">
        <h1>{t('registerTitle')}</h1>
        <p className="lead">{t('registerText')}</p>
      </div>
      <RegisterForm />
      <p>
        {t('haveAccount')}{' '}
        <Link className="link" to={paths.login} state={state}>
          {t('loginHere')}
        </Link>
      </p>
    </div>
  );
}

function RegisterForm() {
  const { t } = useTranslation(['accounts', 'numbers']);
  const [problem, setProblem] = useState<string | null>(null);
  const [evidence, setEvidence] = useState<Evidence | null>(null);
  const { form, values, field, submit, showServerErrors } = useForm({
    schema: registrationSchema,
    initial: EMPTY,
    check: ({ password, confirm }) =>
      checkConfirm(password, confirm, { missing: t('confirmRequired'), different: t('passwordsDiffer') }),
  });
  const registration = useMutation({
    mutationFn: ({ confirm: _same, ...input }: typeof EMPTY) =>
      register({ ...input, whatsapp_number: normaliseAccountPhone(input.whatsapp_number) }, evidence),
    onSuccess() {
      forgetPendingProof();
      showToast.success(t('registered'));
    },
    onError(error) {
      if (showServerErrors(error)) return;
      setProblem(explain(error, t));
    },
  });
  const { state } = useLocation();
  // Passes the new account's e-mail address to the sign-in form.
  const email = registration.variables?.email.trim();
  useRedirect(registration.isSuccess, paths.login, REDIRECT_MS, { ...state, email });

  return (
    <form
      ref={form}
      noValidate
      className="card grid gap-4"
      onSubmit={submit((input) => {
        setProblem(null);
        if (!registration.isPending && !registration.isSuccess) registration.mutate(input);
      })}
    >
      <TextField label={t('username')} autoComplete="nickname" maxLength={USERNAME_MAX_CHARS} {...field('username')} />
      <TextField label={t('email')} type="email" autoComplete="email" maxLength={EMAIL_MAX_CHARS} {...field('email')} />
      <TextField
        label={t('phoneNumber')}
        hint={t('phoneHint')}
        type="tel"
        autoComplete="tel"
        {...field('whatsapp_number')}
      />
      <NumberEvidencePanel
        typed={values.whatsapp_number}
        sendCode={askForCode}
        evidence={evidence}
        onEvidence={setEvidence}
        provenText="proven"
      />
      <NewPasswordFields
        label={t('password')}
        hint={t('passwordHint')}
        confirmLabel={t('confirmPassword')}
        password={field('password')}
        confirm={field('confirm')}
      />
      <div className="grid gap-1 text-sm">
        <p className="text-muted">{t('agreement')}</p>
        <LegalLinks isNewTab />
      </div>
      {/* The error is beside the button, because a user at the button does not see the top of this long form. */}
      {problem && <Banner tone="error">{problem}</Banner>}
      <Button
        type="submit"
        isBusy={registration.isPending}
        isLocked={registration.isSuccess}
        busyLabel={t('registering')}
      >
        {t('register')}
      </Button>
    </form>
  );
}

/** Explains a failure. If another account has registered the phone number, also shows the next step. */
function explain(error: unknown, t: TFunction<['accounts', 'numbers']>): string {
  const problem = withDetail(t('registrationFailed'), error);
  const isTaken = error instanceof ApiError && error.code === 'phone_taken';
  return isTaken ? `${problem} ${t('numbers:takenHint')}` : problem;
}
