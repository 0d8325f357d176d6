import { useMutation } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accountPhoneSchema } from '#contract/fields.ts';
import { normaliseAccountPhone } from '#contract/typed-numbers.ts';
import { ApiError, failureText, withDetail } from '#web/api/client.ts';
import { readCode } from '#web/lib/read-code.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import type { Evidence } from './api.ts';
import { useMessageProof } from './message-proof.ts';

type NumberEvidenceProps = {
  /** The phone number as the user typed it. */
  typed: string;
  /** Sends a verification code to the given phone number. */
  sendCode: (number: string) => Promise<unknown>;
  evidence: Evidence | null;
  onEvidence: (evidence: Evidence | null) => void;
  /** The text shown once our WhatsApp has received the user's message. */
  provenText: 'proven' | 'provenNext';
};

/** The two ways to prove a phone number: the user sends us a free WhatsApp message, or types a code that we send. */
export function NumberEvidencePanel({ typed, sendCode, evidence, onEvidence, provenText }: NumberEvidenceProps) {
  const { t } = useTranslation(['numbers', 'fields']);
  const [way, setWay] = useState<'message' | 'code'>('message');
  const [isAsked, setIsAsked] = useState(false);
  const problem = accountPhoneSchema.safeParse(typed).error?.issues[0]?.message;
  const shared = { number: normaliseAccountPhone(typed), isNumberRight: !problem, onAsked: () => setIsAsked(true) };

  function choose(other: typeof way) {
    onEvidence(null);
    setWay(other);
  }

  return (
    <section className="grid gap-3 rounded-xl bg-sunken p-4" aria-label={t('panelTitle')}>
      {way === 'message' ? (
        <MessageEvidence
          {...shared}
          provenText={provenText}
          onEvidence={onEvidence}
          onOtherWay={() => choose('code')}
        />
      ) : (
        <CodeEvidence
          {...shared}
          sendCode={sendCode}
          code={evidence?.verification_code ?? ''}
          onCode={(verification_code) => onEvidence({ number: shared.number, verification_code })}
          onOtherWay={() => choose('message')}
        />
      )}
      {isAsked && problem && (
        <p role="alert" className="text-danger text-sm">
          {t(problem === 'phone_required' ? 'fields:phone_required' : 'fields:phone_invalid')}
        </p>
      )}
    </section>
  );
}

type CodeEvidenceProps = {
  number: string;
  isNumberRight: boolean;
  onAsked: () => void;
  sendCode: (number: string) => Promise<unknown>;
  code: string;
  onCode: (code: string) => void;
  onOtherWay: () => void;
};

/**
 * A code may take this long to arrive. Until then the user cannot request another code, for example by a double click.
 */
const RESEND_AFTER_MS = 20_000;

/** Proves the phone number by a verification code that we send and the user types into the form. */
function CodeEvidence({ number, isNumberRight, onAsked, sendCode, code, onCode, onOtherWay }: CodeEvidenceProps) {
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

/** Whether a verification code is on its way. @param sentAt when the last code was requested; null before the first. */
function useOnItsWay(sentAt: number | null): boolean {
  const [arrivedOf, setArrivedOf] = useState<number | null>(null);
  useEffect(() => {
    if (sentAt === null) return;
    const timer = setTimeout(() => setArrivedOf(sentAt), RESEND_AFTER_MS);
    return () => clearTimeout(timer);
  }, [sentAt]);
  return sentAt !== null && arrivedOf !== sentAt;
}

/** Explains why no verification code was sent. If the server did not respond, asks the user to check the network. */
function explain(error: Error, t: TFunction<'numbers'>): string {
  const hasAnswer = error instanceof ApiError && error.status !== 0;
  return hasAnswer ? withDetail(t('codeFailed'), error) : t('startFailed');
}

type MessageEvidenceProps = {
  number: string;
  isNumberRight: boolean;
  onAsked: () => void;
  provenText: 'proven' | 'provenNext';
  onEvidence: (evidence: Evidence | null) => void;
  onOtherWay: () => void;
};

/** Proves the phone number by a WhatsApp message from the user, and shows when the message has arrived. */
function MessageEvidence({ number, isNumberRight, onAsked, provenText, onEvidence, onOtherWay }: MessageEvidenceProps) {
  const { t } = useTranslation(['numbers', 'common']);
  const { status, proof, url, isUnreachable, start, cancel } = useMessageProof(number);

  // biome-ignore lint/correctness/useExhaustiveDependencies: evidence is reported once
  useEffect(() => {
    if (proof !== null) onEvidence({ number, number_proof: proof });
  }, [proof, number]);

  function begin() {
    onAsked();
    if (isNumberRight && !start.isPending) start.mutate();
  }

  const otherWay = (
    <Button look="quiet" onClick={onOtherWay}>
      {t('byCode')}
    </Button>
  );
  const done = <Banner tone="success">{status === 'proven' && t(provenText, { number })}</Banner>;
  if (status === 'proven') return done;
  if (status === null || status === 'expired') {
    return (
      <>
        {done}
        <Invitation isExpired={status === 'expired'} />
        {start.isError && <Banner tone="error">{failureText(start.error, t('startFailed'))}</Banner>}
        <Button look="secondary" icon="chat" isBusy={start.isPending} busyLabel={t('starting')} onClick={begin}>
          {t(status === 'expired' ? 'startAgain' : 'byMessage')}
        </Button>
        {otherWay}
      </>
    );
  }
  return (
    <>
      {done}
      <p className="font-semibold">{t('waitingTitle')}</p>
      <p className="text-sm">{t('waitingText', { number })}</p>
      <LinkButton icon="chat" href={url} target="_blank" rel="noopener noreferrer">
        {t('openWhatsapp')}
      </LinkButton>
      {status === 'other_number' && <Banner tone="notice">{t('otherNumber', { number })}</Banner>}
      {status === 'number_hidden' && <Banner tone="notice">{t('numberHidden')}</Banner>}
      <p role="status" className="text-muted text-sm">
        {isUnreachable ? t('unreachable') : t('waiting')}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button look="quiet" onClick={cancel}>
          {t('common:cancel')}
        </Button>
        {otherWay}
      </div>
    </>
  );
}

function Invitation({ isExpired }: { isExpired: boolean }) {
  const { t } = useTranslation('numbers');
  if (isExpired) return <Banner tone="notice">{t('expired')}</Banner>;
  return (
    <div>
      <p className="font-semibold">{t('panelTitle')}</p>
      <p className="text-muted text-sm">{t('panelText')}</p>
    </div>
  );
}
