import { screen, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { AdminDay } from '#contract/admin.ts';
import { WEEK_COUNT_MAX } from '#contract/limits.ts';
import { openAdmin, serveAdmin, servePages } from './support/admin.ts';

// Loaded once asked for, which on a busy machine takes longer than a test waits.
beforeAll(() => import('#web/admin/admin-screen.tsx'));
beforeEach(serveAdmin);

const TODAY: AdminDay = { day: '2026-11-22', posts: 1_200, matches_told: 2, not_this_one: 3, returned: 4, reports: 5 };
const YESTERDAY: AdminDay = {
  day: '2026-11-21',
  posts: 10,
  matches_told: 20,
  not_this_one: 30,
  returned: 40,
  reports: 0,
};

function cellsOf(table: HTMLElement): (string | null)[][] {
  return within(table)
    .getAllByRole('row')
    .map((row) => Array.from(row.children, ({ textContent }) => textContent));
}

test('the week has a row a day, and all of it together below', async () => {
  servePages('week', [TODAY, YESTERDAY]);
  await openAdmin('?tab=week');
  const table = await screen.findByRole('table', {
    name: 'The last seven days, from midnight to midnight in Tanzania.',
  });
  expect(cellsOf(table)).toEqual([
    ['Day', 'Posts', 'Match notices', 'Not this one', 'Found and returned', 'Reports'],
    ['Sun 22 Nov', '1,200', '2', '3', '4', '5'],
    ['Sat 21 Nov', '10', '20', '30', '40', '0'],
    ['Total', '1,210', '22', '33', '44', '5'],
  ]);
  const columns = screen.getAllByRole('columnheader');
  expect(columns).toHaveLength(6);
  for (const column of columns) expect(column).toHaveAttribute('scope', 'col');
  expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
    'Sun 22 Nov',
    'Sat 21 Nov',
    'Total',
  ]);
});

test('what is counted no further says that it may be more, in Swahili too', async () => {
  servePages('week', [{ ...TODAY, posts: WEEK_COUNT_MAX, matches_told: WEEK_COUNT_MAX - 1 }]);
  await openAdmin('?tab=week', 'sw');
  expect(await screen.findByRole('cell', { name: '10,000+' })).toBeInTheDocument();
  expect(screen.getAllByRole('cell', { name: '9,999' })).toHaveLength(2);
  expect(screen.getByRole('columnheader', { name: 'Vilivyorudishwa' })).toBeInTheDocument();
});
