import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Claim } from '#contract/claims.ts';
import { formatDateTime } from '#web/lib/format.ts';

/** What was written before either knew the other's words. To the finder their marks and the answer, side by side. */
export function SealedTexts({ claim }: { claim: Claim }) {
  const { t } = useTranslation('claims');
  const isFinder = claim.role === 'finder';
  const time = formatDateTime(claim.created_at);
  return (
    <section className="card grid gap-4">
      {claim.question && <Sealed title={t(isFinder ? 'yourQuestion' : 'finderAsks')} text={claim.question} />}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-3">
        {isFinder && (
          <Sealed title={t('marks')} text={claim.private_marks} note={claim.private_marks && t('fixedSince', { time })}>
            <p className="text-muted">{t('noMarks')}</p>
          </Sealed>
        )}
        <Sealed title={t(isFinder ? 'theirAnswer' : 'answer')} text={claim.answer} note={t('sentAt', { time })} />
      </div>
    </section>
  );
}

/** @param children stands where there is no text. */
function Sealed({
  title,
  text,
  note,
  children,
}: {
  title: string;
  text: string | null;
  note?: string | null;
  children?: ReactNode;
}) {
  return (
    <div className="grid content-start gap-1 border-accent border-l-4 pl-3">
      <h2 className="text-base!">{title}</h2>
      {note && <p className="text-muted text-sm">{note}</p>}
      {text ? (
        <p dir="auto" className="wrap-anywhere whitespace-pre-line">
          {text}
        </p>
      ) : (
        children
      )}
    </div>
  );
}
