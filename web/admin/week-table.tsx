import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminDay } from '#contract/admin.ts';
import { WEEK_COUNT_MAX } from '#contract/limits.ts';
import { formatDay } from '#web/lib/format.ts';
import { formatNumber } from '#web/lib/format-number.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { weekQuery } from './api.ts';
import { ListFailure, ListSkeleton } from './list-states.tsx';

const COLUMNS = ['posts', 'matches_told', 'not_this_one', 'returned', 'reports'] as const satisfies (keyof AdminDay)[];

/** What happened in the last seven days, a row a day. Scrolls sideways on a phone, by the keyboard too. */
export function WeekTable() {
  const { t } = useTranslation('admin');
  const titleId = useId();
  const week = useQuery(weekQuery);
  const failure = useFailure(week);
  if (failure) return <ListFailure error={failure} list={week} />;
  if (!week.data) return <ListSkeleton />;
  const sums = COLUMNS.map((column) => week.data.reduce((sum, day) => sum + day[column], 0));
  return (
    <div className="grid gap-4">
      <p id={titleId} className="text-muted">
        {t('weekText')}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable without a pointer. */}
      <section className="card overflow-x-auto p-3!" aria-labelledby={titleId} tabIndex={0}>
        <table aria-labelledby={titleId} className="w-full text-right text-sm tabular-nums">
          <thead className="border-line border-b align-bottom">
            <tr>
              <th scope="col" className="sticky left-0 bg-surface p-1 text-left">
                {t('day')}
              </th>
              {COLUMNS.map((column) => (
                <th key={column} scope="col" className="p-1">
                  {t(`columns.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {week.data.map((day) => (
              <tr key={day.day} className="border-line border-b">
                <th scope="row" className="sticky left-0 whitespace-nowrap bg-surface p-1 py-2 text-left font-normal">
                  {formatDay(day.day)}
                </th>
                {COLUMNS.map((column) => (
                  <td key={column} className="p-1">
                    {day[column] >= WEEK_COUNT_MAX ? `${formatNumber(WEEK_COUNT_MAX)}+` : formatNumber(day[column])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot className="font-semibold">
            <tr>
              <th scope="row" className="sticky left-0 bg-surface p-1 py-2 text-left">
                {t('together')}
              </th>
              {sums.map((sum, index) => (
                <td key={COLUMNS[index]} className="p-1">
                  {formatNumber(sum)}
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </section>
    </div>
  );
}
