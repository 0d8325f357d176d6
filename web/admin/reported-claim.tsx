import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ReportedClaim } from '#contract/moderation.ts';
import { formatDateTime } from '#web/lib/format.ts';

/** A claim as both sides wrote it, nothing hidden: who decides must read the numbers and demands themselves. */
export function ReportedClaimTexts({ claim }: { claim: ReportedClaim }) {
  const { t } = useTranslation('admin');
  return (
    <div className="grid min-w-0 mt-1 gap-2 rounded-xl bg-sunken p-3">
      <p className="font-semibold text-sm">{t(`queue.claimStatus.${claim.status}`)}</p>
      <dl className="grid gap-2">
        <Written title={t('queue.claimTexts.question')} text={claim.question} />
        <Written title={t('queue.claimTexts.marks')} text={claim.private_marks} />
        <Written title={t('queue.claimTexts.answer')} text={claim.answer} />
        {claim.messages.map((message) => (
          <Written
            key={`${message.from}${message.created_at}`}
            title={t(`queue.claimTexts.${message.from}`)}
            text={message.text}
            time={message.created_at}
            isAboutMoney={message.is_about_money}
          />
        ))}
      </dl>
      {claim.claimant_id !== null && (
        <Link
          className="link inline-flex min-h-11 items-center justify-self-start"
          to={{ search: `?person=${claim.claimant_id}` }}
        >
          {t('queue.openClaimant')}
        </Link>
      )}
    </div>
  );
}

type WrittenProps = { title: string; text: string | null; time?: string; isAboutMoney?: boolean };

function Written({ title, text, time, isAboutMoney = false }: WrittenProps) {
  const { t } = useTranslation('admin');
  return (
    <div className="grid gap-0.5">
      <dt className="flex flex-wrap gap-x-3 text-muted text-sm">
        <span>{title}</span>
        {time && <time dateTime={time}>{formatDateTime(time)}</time>}
        {isAboutMoney && <strong className="text-notice">{t('queue.claimMoney')}</strong>}
      </dt>
      {text ? (
        <dd dir="auto" className="wrap-anywhere whitespace-pre-line">
          {text}
        </dd>
      ) : (
        <dd className="text-muted">{t('queue.claimNoText')}</dd>
      )}
    </div>
  );
}
