import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { describeFailure } from '#web/lib/describe-failure.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import type { Evidence } from './evidence.ts';
import { useMessageProof } from './use-message-proof.ts';

type Props = {
  number: string;
  isNumberRight: boolean;
  onAsked: () => void;
  provenText: 'proven' | 'provenNext';
  onEvidence: (evidence: Evidence | null) => void;
  onOtherWay: () => void;
};

/** The first way: the reader sends us the message that WhatsApp opens with, and we say when it is there. */
export function MessageEvidence({ number, isNumberRight, onAsked, provenText, onEvidence, onOtherWay }: Props) {
  const { t } = useTranslation(['numbers', 'common']);
  const { status, proof, url, isUnreachable, start, cancel } = useMessageProof(number);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what was brought is told once
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
        {start.isError && <Banner tone="error">{describeFailure(start.error, t('startFailed'))}</Banner>}
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
