import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type AdminNoticeDay, NOTICE_STEPS } from '#contract/admin.ts';
import { formatDay } from '#web/lib/format.ts';
import { formatNumber } from '#web/lib/format-number.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { noticeDaysQuery } from './api.ts';
import { ListFailure, ListSkeleton } from './list-states.tsx';

/** How far the notices of the last days came, a table a day. */
export function NoticeDays() {
  const { t } = useTranslation('admin');
  const days = useQuery(noticeDaysQuery);
  const failure = useFailure(days);
  if (failure) return <ListFailure error={failure} list={days} />;
  if (!days.data) return <ListSkeleton />;
  if (days.data.length === 0) return <EmptyState icon="bell" title={t('noticeBoard.none')} />;
  return (
    <div className="grid gap-4">
      <p className="text-muted">{t('noticeBoard.text')}</p>
      {[...new Set(days.data.map(({ day }) => day))].map((day) => (
        <DayTable key={day} day={formatDay(day)} rows={days.data.filter((row) => row.day === day)} />
      ))}
    </div>
  );
}

/** Wider than a phone: it is moved sideways, by the keyboard too, while the types stay where they are. */
function DayTable({ day, rows }: { day: string; rows: AdminNoticeDay[] }) {
  const { t } = useTranslation('admin');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable without a pointer.
    <section className="card overflow-x-auto p-3!" aria-label={t('noticeBoard.scroll', { day })} tabIndex={0}>
      <table className="w-full text-right text-sm tabular-nums">
        <caption className="pb-2 text-left font-semibold">{day}</caption>
        <thead className="border-line border-b align-bottom">
          <tr>
            <th scope="col" className="sticky left-0 bg-surface p-1 text-left">
              {t('noticeBoard.type')}
            </th>
            {NOTICE_STEPS.map((step) => (
              <th key={step} scope="col" className="p-1">
                {t(`noticeBoard.steps.${step}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.type} className="border-line border-b last:border-b-0">
              <th scope="row" className="sticky left-0 min-w-28 bg-surface p-1 py-2 text-left font-normal">
                {t(`noticeBoard.types.${row.type}`)}
              </th>
              {NOTICE_STEPS.map((step) => (
                <td key={step} className="p-1">
                  {formatNumber(row[step])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
