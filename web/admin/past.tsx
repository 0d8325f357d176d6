import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { AdminPerson } from '#contract/admin.ts';
import type { LogEntry } from '#contract/moderation.ts';
import { SWITCHES } from '#contract/operating.ts';
import { formatDateTime } from '#web/lib/format.ts';

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

type Done = Pick<LogEntry, 'action' | 'target_id'>;

function titleOf({ action, target_id }: Done, t: TFunction<'admin'>): string {
  if (action !== 'switch_off' && action !== 'switch_on') return t(`actions.${action}`);
  const name = SWITCHES.find((one) => one === target_id);
  return name ? t(`switchBoard.done.${action}.${name}`) : '';
}

export function LogEntries({ entries }: { entries: readonly LogEntry[] }) {
  const { t } = useTranslation('admin');
  return (
    <ol className="grid gap-3">
      {entries.map(({ id, action, actor_id, target_type, target_id, reason, created_at }) => (
        <li key={id} className="card grid gap-1">
          <p className="font-semibold">{titleOf({ action, target_id }, t)}</p>
          {reason && (
            <p dir="auto" className="wrap-anywhere whitespace-pre-line">
              {reason}
            </p>
          )}
          <p className="text-muted text-sm">
            <time dateTime={created_at}>{formatDateTime(created_at)}</time>
          </p>
          <p className="flex flex-wrap gap-x-4">
            {target_id && (target_type === 'user' || target_type === 'post') && (
              <Link
                className="link py-1"
                to={{ search: `?${target_type === 'user' ? 'person' : 'post'}=${target_id}` }}
              >
                {t(target_type === 'user' ? 'openPerson' : 'openPost')}
              </Link>
            )}
            {actor_id ? (
              <Link className="link py-1" to={{ search: `?person=${actor_id}` }}>
                {t('openActor')}
              </Link>
            ) : (
              <span className="py-1 text-muted">{t('byItself')}</span>
            )}
          </p>
        </li>
      ))}
    </ol>
  );
}
