import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { KnownPerson } from '#contract/moderation.ts';
import { formatDate } from '#web/lib/format.ts';
import type { DeletedCase, QueuedCase } from './api.ts';

/** What is known of who posted and of those who report. */
export function KnownPeople({ entry: { author, reporters } }: { entry: QueuedCase | DeletedCase }) {
  const { t } = useTranslation('admin');
  return (
    <div className="grid gap-3 text-sm">
      <Person role={t('queue.author')} person={author} />
      {reporters.length > 0 && (
        <details>
          <summary className="min-h-11 cursor-pointer content-center font-semibold">
            {t('queue.reporters', { count: reporters.length })}
          </summary>
          <div className="grid gap-3 pt-1">
            {reporters.map((person) => (
              <Person key={person.id} role={t('queue.reporter')} person={person} />
            ))}
          </div>
        </details>
      )}
    </div>
  );
}

/** @param role says what the person has to do with what is decided. */
export function Person({ role, person }: { role: string; person: KnownPerson }) {
  const { t } = useTranslation('admin');
  const facts = [
    t('queue.since', { date: formatDate(person.created_at) }),
    t(person.is_number_proven ? 'queue.numberProven' : 'queue.numberNotProven'),
    t('queue.postCount', { count: person.post_count }),
    t('queue.reportsAgainst', { count: person.reports_against }),
    t('queue.reportsMade', { count: person.reports_made }),
    ...(person.is_suspended ? [t('queue.isSuspended')] : []),
  ];
  return (
    <section className="grid gap-0.5">
      <h3 className="wrap-anywhere font-semibold">
        {role}:{' '}
        <Link className="link" to={{ search: `?person=${person.id}` }}>
          <bdi>{person.username}</bdi>
        </Link>
      </h3>
      <ul className="flex flex-wrap gap-x-4 text-muted">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </section>
  );
}
