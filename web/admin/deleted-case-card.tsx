import { useTranslation } from 'react-i18next';
import { formatAge } from '#web/lib/format.ts';
import type { DeletedCase } from './api.ts';
import { CaseReports } from './case-reports.tsx';
import { KnownPeople } from './known-people.tsx';

/** The reports on a post that was deleted before anybody decided on it. Nothing is left to decide. */
export function DeletedCaseCard({ entry }: { entry: DeletedCase }) {
  const { t } = useTranslation('admin');
  return (
    <li className="card grid min-w-0 gap-4">
      <p className="text-muted text-sm">{t('queue.decidedAt', { age: formatAge(entry.since) })}</p>
      <h2 className="text-lg">{t('queue.wasDeleted')}</h2>
      <CaseReports entry={entry} />
      <KnownPeople entry={entry} />
    </li>
  );
}
