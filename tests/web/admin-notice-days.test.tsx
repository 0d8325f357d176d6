import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, expect, test } from 'vitest';
import type { AdminNoticeDay } from '#contract/admin.ts';
import { LIVE_MESSAGE_TYPES } from '#contract/live-messages.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

// Loaded once asked for, which on a busy machine takes longer than a test waits.
beforeAll(() => import('#web/admin/admin-screen.tsx'));

const NOTHING = { stored: 0, acknowledged: 0, pushed: 0, whatsapp: 0, emailed: 0, opened: 0, dismissed: 0 };

/** Answers as the server of a platform admin. */
function serve(answer: () => Response | Promise<Response>): void {
  server.use(
    http.get('*/api/me', () => HttpResponse.json({ id: 'a-user', username: 'Asha', is_platform_admin: true })),
    http.get('*/api/admin/notice-days', answer),
  );
}

function open() {
  return renderScreen('/admin?tab=noticeDays', { isSignedIn: true });
}

function cellsOf(table: HTMLElement): (string | null)[][] {
  return within(table)
    .getAllByRole('row')
    .map((row) => Array.from(row.children, ({ textContent }) => textContent));
}

test('each day has a table of its own, with a row a type and a column a step', async () => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const days: AdminNoticeDay[] = [
    {
      day: '2026-11-22',
      type: 'matching_post',
      stored: 1_200,
      acknowledged: 6,
      pushed: 5,
      whatsapp: 4,
      emailed: 3,
      opened: 2,
      dismissed: 1,
    },
    { day: '2026-11-22', type: 'claim_received', ...NOTHING, stored: 1 },
    { day: '2026-11-21', type: 'matching_post', ...NOTHING, stored: 8 },
  ];
  serve(async () => {
    await isReleased;
    return HttpResponse.json(days);
  });
  await open();
  expect((await screen.findByRole('tabpanel', { name: 'Notices' })).querySelector('[aria-busy=true]')).not.toBeNull();
  release();
  const [today, yesterday] = await screen.findAllByRole('table');
  expect(today && cellsOf(today)).toEqual([
    ['About', 'Stored', 'Shown', 'Push', 'WhatsApp', 'Email', 'Opened', 'Not this one'],
    ['A match', '1,200', '6', '5', '4', '3', '2', '1'],
    ['Claim received', '1', '0', '0', '0', '0', '0', '0'],
  ]);
  expect(yesterday && cellsOf(yesterday)[1]).toEqual(['A match', '8', '0', '0', '0', '0', '0', '0']);
  expect(screen.getByRole('table', { name: 'Sun 22 Nov' })).toBe(today);
  for (const [role, scope] of [
    ['columnheader', 'col'],
    ['rowheader', 'row'],
  ] as const)
    for (const header of screen.getAllByRole(role)) expect(header).toHaveAttribute('scope', scope);
  expect(screen.getByText(/^Notices stored/)).toBeInTheDocument();
  // Wider than a phone, it is reached and moved by the keyboard.
  expect(screen.getByRole('region', { name: 'Notices of Sun 22 Nov, by type and step' })).toHaveAttribute(
    'tabindex',
    '0',
  );
});

test('every type of notice has a name', async () => {
  serve(() => HttpResponse.json(LIVE_MESSAGE_TYPES.map((type) => ({ day: '2026-11-22', type, ...NOTHING }))));
  await open();
  const names = (await screen.findAllByRole('rowheader')).map(({ textContent }) => textContent ?? '');
  expect(names).toHaveLength(LIVE_MESSAGE_TYPES.length);
  expect(names.filter((name) => name === '' || name.includes('_'))).toEqual([]);
});

test('where nothing was counted, it says so', async () => {
  serve(() => HttpResponse.json([]));
  await open();
  expect(await screen.findByText('No notice has been counted in the last seven days.')).toBeInTheDocument();
});

test('what cannot be loaded can be tried again', async () => {
  let isBroken = true;
  serve(() =>
    isBroken ? HttpResponse.json({}, { status: 503, headers: { 'Retry-After': '60' } }) : HttpResponse.json([]),
  );
  const { user } = await open();
  const again = await screen.findByRole('button', { name: 'Try again' });
  isBroken = false;
  await user.click(again);
  expect(await screen.findByText('No notice has been counted in the last seven days.')).toBeInTheDocument();
});
