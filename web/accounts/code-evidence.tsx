import { useMutation } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#web/lib/api-client.ts';
import { withDetail } from '#web/lib/describe-failure.ts';
import { readCode } from '#web/lib/read-code.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';

type Props = {
  number: string;
  isNumberRight: boolean;
  onAsked: () => void;
  sendCode: (number: string) => Promise<unknown>;
  code: string;
  onCode: (code: string) => void;
  onOtherWay: () => void;
};

/** How long a code may well take to arrive: until then another helps nobody, nor does the second press of a double click. */
const RESEND_AFTER_MS = 20_000;

/** The second way: a code that we send, and that goes with the form. */
export function CodeEvidence({ number, isNumberRight, onAsked, sendCode, code, onCode, onOtherWay }: Props) {
  const { t } = useTranslation('numbers');
  const field = useRef<HTMLDivElement>(null);
  const sending = useMutation({ mutationFn: sendCode, onSuccess: () => onCode('') });
  const isSent = sending.isSuccess && sending.variables === number;
  const isOnItsWay = useOnItsWay(isSent ? sending.submittedAt : null);
  useEffect(() => {
    if (isSent) field.current?.querySelector('input')?.focus();
  }, [isSent]);

  function send() {
    onAsked();
    if (isNumberRight && !sending.isPending) sending.mutate(number);
  }

  return (
    <>
      {!isSent && <p className="font-semibold">{t('panelTitle')}</p>}
      <Banner tone="success">{isSent && t('codeSent', { number })}</Banner>
      {sending.isError && <Banner tone="error">{explain(sending.error, t)}</Banner>}
      {isSent && (
        <div ref={field}>
          <TextField
            label={t('code')}
            name="verification_code"
            inputMode="numeric"
            autoComplete="one-time-code"
            className="text-center font-semibold text-2xl tabular-nums tracking-[0.35em]"
            value={code}
            onChange={(event) => onCode(readCode(event.target.value))}
          />
        </div>
      )}
      <Button look="secondary" isBusy={sending.isPending} isLocked={isOnItsWay} busyLabel={t('sending')} onClick={send}>
        {t(isSent ? 'sendAgain' : 'sendCode')}
      </Button>
      <Button look="quiet" icon="chat" onClick={onOtherWay}>
        {t('byMessageInstead')}
      </Button>
    </>
  );
}

/** @param sentAt when the last code was asked for; null before the first. */
function useOnItsWay(sentAt: number | null): boolean {
  const [arrivedOf, setArrivedOf] = useState<number | null>(null);
  useEffect(() => {
    if (sentAt === null) return;
    const timer = setTimeout(() => setArrivedOf(sentAt), RESEND_AFTER_MS);
    return () => clearTimeout(timer);
  }, [sentAt]);
  return sentAt !== null && arrivedOf !== sentAt;
}

/** Says that no code was sent, and why if the server says it; without an answer, what may be wrong. */
function explain(error: Error, t: TFunction<'numbers'>): string {
  const hasAnswer = error instanceof ApiError && error.status !== 0;
  return hasAnswer ? withDetail(t('codeFailed'), error) : t('startFailed');
}
