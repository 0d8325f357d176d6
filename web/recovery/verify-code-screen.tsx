import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate } from 'react-router';
import { RESET_CODE_LIFETIME_SECONDS, RESET_CODE_MIN_CHARS } from '#contract/limits.ts';
import { failureText } from '#web/api/client.ts';
import { formatCountdown, useSecondsLeft } from '#web/lib/countdown.ts';
import { paths } from '#web/lib/paths.ts';
import { readCode } from '#web/lib/read-code.ts';
import { useOwnTitle } from '#web/lib/title.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { describeRequestFailure, isCodeOver, requestCode, verifyCode } from './api.ts';
import { PasswordStep } from './password-step.tsx';
import { expireCode, keepIssue, keepVerifiedCode, readExpiry, readPhone, readVerifiedCode } from './pending-reset.ts';

/** Asks for the verification code, then for a new password. Redirects a visitor who has not requested a code. */
export function VerifyCodeScreen() {
  // Reads the phone number once, because the reset deletes the stored number. Reading the number again would redirect
  // the user while the success message is still shown.
  const [phone] = useState(readPhone);
  return phone ? <Steps phone={phone} /> : <Navigate to={paths.forgotPassword} replace />;
}

function Steps({ phone }: { phone: string }) {
  const { t } = useTranslation('recovery');
  const [verifiedCode, setVerifiedCode] = useState(readVerifiedCode);
  const [problem, setProblem] = useState<string | null>(null);
  const isVerified = verifiedCode !== null;
  useOwnTitle(isVerified ? t('newPasswordTitle') : undefined);
  return (
    <div className="mx-auto grid max-w-md gap-5">
      <div className="grid gap-2">
        <h1>{isVerified ? t('newPasswordTitle') : t('verifyTitle')}</h1>
        <p className="wrap-anywhere text-muted">{isVerified ? t('newPasswordText') : t('verifyText', { phone })}</p>
      </div>
      {isVerified ? (
        <PasswordStep
          phone={phone}
          code={verifiedCode}
          onCodeRefused={(reason) => {
            setProblem(reason);
            setVerifiedCode(null);
          }}
        />
      ) : (
        <CodeStep
          phone={phone}
          initialProblem={problem}
          onVerified={(code) => {
            keepVerifiedCode(code);
            setVerifiedCode(code);
          }}
        />
      )}
      <Link className="link justify-self-start py-1" to={paths.login}>
        {t('backToLogin')}
      </Link>
    </div>
  );
}

type Message = { tone: 'error' | 'success'; text: string };

/** Asks for the verification code until it expires; then offers to request another one. */
function CodeStep({
  phone,
  initialProblem,
  onVerified,
}: {
  phone: string;
  initialProblem: string | null;
  onVerified: (code: string) => void;
}) {
  const { t } = useTranslation('recovery');
  const { t: tField } = useTranslation('fields');
  const form = useRef<HTMLFormElement>(null);
  const [code, setCode] = useState('');
  const [message, setMessage] = useState<Message | null>(
    initialProblem ? { tone: 'error', text: initialProblem } : null,
  );
  const [expiresAt, setExpiresAt] = useState(readExpiry);
  const secondsLeft = useSecondsLeft(expiresAt, RESET_CODE_LIFETIME_SECONDS);
  const isExpired = secondsLeft === 0;
  const showError = (text: string) => setMessage({ tone: 'error', text });

  const verification = useMutation({
    mutationFn: (entered: string) => verifyCode({ whatsapp_number: phone, verification_code: entered }),
    onSuccess: (_answer, entered) => onVerified(entered),
    onError(error) {
      if (isCodeOver(error)) setExpiresAt(expireCode());
      showError(failureText(error, t('invalidCode'), t('genericError')));
      form.current?.querySelector('input')?.select();
    },
  });
  const resending = useMutation({
    async mutationFn() {
      const askedAt = Date.now();
      await requestCode({ whatsapp_number: phone });
      return askedAt;
    },
    onSuccess(askedAt) {
      setExpiresAt(keepIssue(askedAt));
      setCode('');
      setMessage({ tone: 'success', text: t('codeSent') });
    },
    onError: (error) => showError(describeRequestFailure(error, t)),
  });

  const isRenewed = resending.isSuccess && !isExpired;
  useEffect(() => {
    if (isRenewed) form.current?.querySelector('input')?.focus();
  }, [isRenewed]);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (verification.isPending || resending.isPending) return;
    setMessage(null);
    // Compares with the clock, because the countdown's last tick may be late.
    if (Date.now() >= expiresAt) return showError(t('codeExpired'));
    if (code === '') return showError(tField('code_required'));
    if (code.length < RESET_CODE_MIN_CHARS) return showError(tField('code_invalid'));
    verification.mutate(code);
  }

  const shown = message ?? (isExpired ? { tone: 'error' as const, text: t('codeExpired') } : null);
  return (
    <form ref={form} noValidate onSubmit={submit} className="card grid gap-4">
      {shown?.tone === 'error' && <Banner tone="error">{shown.text}</Banner>}
      <Banner tone="success">{shown?.tone === 'success' && shown.text}</Banner>
      <CodeField code={code} onChange={setCode} secondsLeft={secondsLeft} />
      <Button
        type="submit"
        look={isExpired ? 'secondary' : 'primary'}
        isLocked={isExpired}
        isBusy={verification.isPending}
      >
        {verification.isPending ? t('verifyingCode') : t('verifyCode')}
      </Button>
      {isExpired && (
        <Button isBusy={resending.isPending} onClick={() => resending.mutate()}>
          {resending.isPending ? t('sendingCode') : t('resendCode')}
        </Button>
      )}
      <div className="text-muted text-sm">
        <p>{t('nothingArrived')}</p>
        <Link className="link inline-flex min-h-11 items-center" to={paths.forgotPassword}>
          {t('otherNumber')}
        </Link>
      </div>
    </form>
  );
}

/** The field for the verification code, with the remaining time. Phones show a number pad and can fill in the code. */
function CodeField({
  code,
  onChange,
  secondsLeft,
}: {
  code: string;
  onChange: (code: string) => void;
  secondsLeft: number;
}) {
  const { t } = useTranslation('recovery');
  return (
    <div className="grid gap-2">
      <TextField
        label={t('code')}
        name="verification_code"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="done"
        className="text-center font-semibold text-2xl tabular-nums tracking-[0.35em]"
        disabled={secondsLeft === 0}
        value={code}
        onChange={(event) => onChange(readCode(event.target.value))}
      />
      <p className="flex items-center gap-1.5 text-muted">
        <Icon name="clock" className="size-5" />
        {t('timeLeft')}
        <span role="timer" className="font-semibold text-ink tabular-nums">
          {formatCountdown(secondsLeft)}
        </span>
      </p>
    </div>
  );
}
