import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { AdminPerson } from '#contract/admin.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { LogEntries } from './log-entries.tsx';

/** What has been said of a person or a post, and what was done. */
export function Past({ reports, log }: Pick<AdminPerson, 'reports' | 'log'>) {
  const { t } = useTranslation('admin');
  return (
    <>
      <section className="grid gap-3">
        <h2>{t('reports')}</h2>
        {reports.length === 0 && <p className="text-muted">{t('noReports')}</p>}
        <ul className="grid gap-3">
          {reports.map(({ reason, text, post_id, reporter_id, created_at }) => (
            <li key={`${post_id} ${reporter_id} ${created_at}`} className="card grid gap-1">
              <p className="font-semibold">{t(`reportReasons.${reason}`)}</p>
              {text && (
                <p dir="auto" className="wrap-anywhere whitespace-pre-line">
                  {text}
                </p>
              )}
              <p className="text-muted text-sm">{formatDateTime(created_at)}</p>
              <p className="flex flex-wrap gap-x-4">
                <Link className="link py-1" to={{ search: `?post=${post_id}` }}>
                  {t('openPost')}
                </Link>
                {reporter_id && (
                  <Link className="link py-1" to={{ search: `?person=${reporter_id}` }}>
                    {t('openReporter')}
                  </Link>
                )}
              </p>
            </li>
          ))}
        </ul>
      </section>
      <section className="grid gap-3">
        <h2>{t('done')}</h2>
        {log.length === 0 && <p className="text-muted">{t('nothingDone')}</p>}
        <LogEntries entries={log} />
      </section>
    </>
  );
}
