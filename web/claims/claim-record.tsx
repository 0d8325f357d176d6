import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Claim, ClaimMessage } from '#contract/claims.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { Icon } from '#web/ui/icon.tsx';

/**
 * The claimant's answer. The finder also sees the private marks (what only the finder knows about the item), and
 * compares the marks with the answer. Neither party saw the other's text before writing their own.
 */
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

/** @param children is shown in place of a missing text. */
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

/** The questions and replies, as a log: a screen reader announces new entries. */
export function ClaimThread({ claim }: { claim: Claim }) {
  const { t } = useTranslation('claims');
  const { messages } = claim;
  return (
    <section className={messages.length > 0 ? 'grid gap-3' : 'sr-only'} aria-label={t('thread')}>
      {messages.length > 0 && <h2>{t('thread')}</h2>}
      <div role="log" aria-label={t('thread')} className="grid gap-3">
        {messages.map((message, index) => (
          // Messages are only added at the end, so the index identifies them.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Message key={index} message={message} claim={claim} />
        ))}
      </div>
    </section>
  );
}

function Message({ message, claim }: { message: ClaimMessage; claim: Claim }) {
  const { t } = useTranslation('claims');
  const isOwn = message.from === claim.role;
  return (
    <article className={`grid max-w-[90%] gap-1 ${isOwn ? 'justify-self-end' : 'justify-self-start'}`}>
      {message.is_about_money && !isOwn && (
        <p className="flex items-start gap-2 rounded-xl bg-danger-soft px-3 py-2 font-semibold text-danger">
          <Icon name="alert" className="mt-0.5 size-5" />
          {t('moneyWarning')}
        </p>
      )}
      <div className={`wrap-anywhere grid gap-1 rounded-xl px-3 py-2 ${isOwn ? 'bg-accent-soft' : 'bg-sunken'}`}>
        <p className="font-semibold text-sm">
          <bdi>{isOwn ? t('fromYou') : (claim.other_name ?? t('personGone'))}</bdi>
        </p>
        <p dir="auto" className="whitespace-pre-line">
          {message.text}
        </p>
        <time className="text-muted text-sm" dateTime={message.created_at}>
          {formatDateTime(message.created_at)}
        </time>
      </div>
    </article>
  );
}

/** The steps of the claim that this party may see, each with its time. */
export function ClaimHistory({ claim: { role, history } }: { claim: Claim }) {
  const { t } = useTranslation('claims');
  return (
    <section className="card grid gap-2" aria-labelledby="history">
      <h2 id="history">{t('history')}</h2>
      <ol className="grid gap-1.5 border-line border-l-2 pl-4">
        {history.map(({ step, created_at }, index) => (
          // Steps are only added at the end, so the index identifies them.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <li key={index} className="flex flex-wrap justify-between gap-x-4">
            <span>{t(`steps.${role}.${step}`)}</span>
            <time className="text-muted text-sm" dateTime={created_at}>
              {formatDateTime(created_at)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  );
}
