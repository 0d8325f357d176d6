import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ClaimRole } from '#contract/claims.ts';
import type { ReportedClaim } from '#contract/moderation.ts';
import type { DeletedCase, QueuedCase } from '#web/admin/api.ts';
import { formatAge, formatDateTime } from '#web/lib/format.ts';

type Report = QueuedCase['reports'][number];

/** The reports on a post or on one of its claims, newest first. */
export function CaseReports({ entry: { reports, reporters } }: { entry: QueuedCase | DeletedCase }) {
  const { t } = useTranslation('admin');
  if (reports.length === 0) return null;
  const nameOf = (id: string | null) =>
    reporters.find((person) => person.id === id)?.username ?? t('queue.goneReporter');
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold">{t('queue.reportCount', { count: reports.length })}</h3>
      <ul className="grid gap-2">
        {reports.map((report) => (
          <li
            key={`${report.reporter_id}${report.created_at}`}
            className="grid min-w-0 gap-0.5 border-line border-l-3 pl-3"
          >
            {report.claim && <p className="text-muted text-sm">{t('queue.aboutClaim')}</p>}
            <p className="font-semibold">{t(`reportReasons.${report.reason}`)}</p>
            {report.text && (
              <p dir="auto" className="wrap-anywhere whitespace-pre-line">
                {report.text}
              </p>
            )}
            <ReportedBy report={report} username={nameOf(report.reporter_id)} />
            {report.claim && <ReportedClaimTexts claim={report.claim} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function ReportedBy({ report, username }: { report: Report; username: string }) {
  const { t } = useTranslation('admin');
  const role = roleOfReporter(report);
  const values = { username, age: formatAge(report.created_at) };
  return (
    <p className="wrap-anywhere text-muted text-sm">
      {role ? t(`queue.claimReportedBy.${role}`, values) : t('queue.reportedBy', values)}
    </p>
  );
}

/** Returns the reporter's role in the claim. Null for a report on a post, or if the reporter's account was deleted. */
function roleOfReporter({ claim, reporter_id: id }: Report): ClaimRole | null {
  if (!claim || id === null) return null;
  return id === claim.claimant_id ? 'claimant' : 'finder';
}

/** A claim as both parties wrote it. Admins must see phone numbers and demands for money, so nothing is redacted. */
function ReportedClaimTexts({ claim }: { claim: ReportedClaim }) {
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
