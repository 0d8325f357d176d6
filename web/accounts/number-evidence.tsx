import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { normaliseAccountPhone } from '#contract/normalise-phone.ts';
import { accountPhoneSchema } from '#contract/phone.ts';
import { CodeEvidence } from './code-evidence.tsx';
import type { Evidence } from './evidence.ts';
import { MessageEvidence } from './message-evidence.tsx';

type Props = {
  /** As it was typed. */
  typed: string;
  /** Sends a code there. */
  sendCode: (number: string) => Promise<unknown>;
  evidence: Evidence | null;
  onEvidence: (evidence: Evidence | null) => void;
  /** What is said once the message is there. */
  provenText: 'proven' | 'provenNext';
};

/** The two ways to show that a number is one's own: by a message to us, which is free, or by a code. */
export function NumberEvidencePanel({ typed, sendCode, evidence, onEvidence, provenText }: Props) {
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
