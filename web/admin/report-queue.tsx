import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFailure } from '#web/lib/use-failure.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { MoreButton } from '#web/ui/more-button.tsx';
import { type CaseStatus, type QueuedCase, reportsQuery } from './api.ts';
import { CaseCard } from './case-card.tsx';
import { DeletedCaseCard } from './deleted-case-card.tsx';
import { HarshDialog, type HarshVerdict } from './harsh-dialog.tsx';
import { ListFailure, ListSkeleton } from './list-states.tsx';

/** The posts that were reported and wait, or that were decided. What is decided here stays in its place, to be undone. */
export function ReportQueue({ status }: { status: CaseStatus }) {
  const { t } = useTranslation('admin');
  const [asked, setAsked] = useState<{ entry: QueuedCase; verdict: HarshVerdict } | null>(null);
  const list = useInfiniteQuery({ ...reportsQuery(status), staleTime: 0 });
  const failure = useFailure(list);
  const cases = list.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <section aria-label={t(status === 'open' ? 'reports' : 'parts.decidedReports')} className="grid gap-4">
      {status === 'open' && cases.length > 0 && (
        <p className="text-muted text-sm pointer-coarse:hidden">{t('queue.keys')}</p>
      )}
      {failure && <ListFailure error={failure} list={list} />}
      {list.isPending && !failure && <ListSkeleton />}
      {list.data && !failure && cases.length === 0 && (
        <EmptyState icon="check" title={t(status === 'open' ? 'queue.noReports' : 'queue.noDecidedReports')} />
      )}
      <ul className="grid gap-4">
        {cases.map((entry) =>
          entry.decision === 'post_deleted' ? (
            <DeletedCaseCard key={entry.id} entry={entry} />
          ) : (
            <CaseCard key={entry.id} entry={entry} list={status} onAsk={(verdict) => setAsked({ entry, verdict })} />
          ),
        )}
      </ul>
      <MoreButton list={list} label={t('more')} failed={t('failed')} />
      {asked && <HarshDialog {...asked} list={status} onClose={() => setAsked(null)} />}
    </section>
  );
}
