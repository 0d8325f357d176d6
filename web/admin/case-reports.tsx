import { useTranslation } from 'react-i18next';
import type { ClaimRole } from '#contract/claims.ts';
import { formatAge } from '#web/lib/format.ts';
import type { DeletedCase, QueuedCase } from './api.ts';
import { ReportedClaimTexts } from './reported-claim.tsx';

type Report = QueuedCase['reports'][number];

/** What people say against the post or a claim of it, the newest first. */
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

/** Nobody but a claim's two people can report it. Null for a report of a post, and once the account is gone. */
function roleOfReporter({ claim, reporter_id: id }: Report): ClaimRole | null {
  if (!claim || id === null) return null;
  return id === claim.claimant_id ? 'claimant' : 'finder';
}
