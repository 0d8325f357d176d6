import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { RESET_CODE_LIFETIME_SECONDS, RESET_CODE_MIN_CHARS } from '#contract/limits.ts';
import { paths } from '#web/lib/paths.ts';
import { useSecondsLeft } from '#web/lib/use-seconds-left.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { requestCode, verifyCode } from './api.ts';
import { CodeField } from './code-field.tsx';
import { expireCode, keepIssue, readExpiry } from './pending-reset.ts';
import { describeFailure, describeRequestFailure, isCodeOver } from './recovery-errors.ts';

type Message = { tone: 'error' | 'success'; text: string };

/** Takes the code while it lives; then offers another. */
export function CodeStep({
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
      showError(describeFailure(error, t, 'invalidCode'));
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
    // The clock, not the last tick of the countdown, says whether it is too late.
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
