import { useTranslation } from 'react-i18next';
import { formatAge } from '#web/lib/format.ts';
import type { QueuedCase } from './api.ts';

/** What people say against the post, the newest first. */
export function CaseReports({ entry: { reports, reporters } }: { entry: QueuedCase }) {
  const { t } = useTranslation('admin');
  if (reports.length === 0) return null;
  const nameOf = (id: string | null) =>
    reporters.find((person) => person.id === id)?.username ?? t('queue.goneReporter');
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold">{t('queue.reportCount', { count: reports.length })}</h3>
      <ul className="grid gap-2">
        {reports.map((report) => (
          <li key={`${report.reporter_id}${report.created_at}`} className="grid gap-0.5 border-line border-l-3 pl-3">
            <p className="font-semibold">{t(`reportReasons.${report.reason}`)}</p>
            {report.text && (
              <p dir="auto" className="wrap-anywhere whitespace-pre-line">
                {report.text}
              </p>
            )}
            <p className="wrap-anywhere text-muted text-sm">
              {t('queue.reportedBy', { username: nameOf(report.reporter_id), age: formatAge(report.created_at) })}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
