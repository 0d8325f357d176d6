import { screen, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { LogEntry } from '#contract/moderation.ts';
import { SWITCHES } from '#contract/operating.ts';
import { aLogEntry, openAdmin, serveAdmin, servePages } from './support/admin.ts';

// Loaded once asked for, which on a busy machine takes longer than a test waits.
beforeAll(() => import('#web/admin/admin-screen.tsx'));
beforeEach(serveAdmin);

/** The rows of the log, in its order. */
async function openLog(entries: LogEntry[]) {
  servePages('log', entries);
  await openAdmin('?tab=log');
  const panel = within(await screen.findByRole('tabpanel', { name: 'Log' }));
  await panel.findByRole('list');
  const rows = await panel.findAllByRole('listitem');
  return rows.map((row) => within(row));
}

function linksOf(row: Awaited<ReturnType<typeof openLog>>[number]) {
  return row.queryAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
}

test('what was done says to what, why, when and by whom', async () => {
  const [person, post, community] = await openLog([
    aLogEntry({ reason: 'Anatapeli', created_at: '2026-11-20T09:00:00.000Z' }),
    aLogEntry({ action: 'restore', target_type: 'post', target_id: 'simu' }),
    aLogEntry({ action: 'approve_name', target_type: 'community', target_id: 'school' }),
  ]);
  expect(person?.getByText('Person suspended')).toBeInTheDocument();
  expect(person?.getByText('Anatapeli')).toHaveAttribute('dir', 'auto');
  expect(person?.getByText('20 Nov 2026, 12:00')).toHaveAttribute('datetime', '2026-11-20T09:00:00.000Z');
  expect(person && linksOf(person)).toEqual([
    ['Open the person', '/admin?person=juma'],
    ['Who did it', '/admin?person=neema'],
  ]);
  expect(person?.queryByText(/Automatically/)).toBeNull();
  expect(post?.getByText('Post restored')).toBeInTheDocument();
  expect(post && linksOf(post)).toEqual([
    ['Open the post', '/admin?post=simu'],
    ['Who did it', '/admin?person=neema'],
  ]);
  expect(community?.getByText('New name of a community approved')).toBeInTheDocument();
  expect(community && linksOf(community)).toEqual([['Who did it', '/admin?person=neema']]);
});

test('of what did itself, and of what is gone, there is nobody to open', async () => {
  const [hidden, suspended] = await openLog([
    aLogEntry({ action: 'hide', target_type: 'post', target_id: 'simu', actor_id: null }),
    aLogEntry({ target_id: null }),
  ]);
  expect(hidden && linksOf(hidden)).toEqual([['Open the post', '/admin?post=simu']]);
  expect(hidden?.getByText('Automatically, or by a deleted account')).toBeInTheDocument();
  expect(suspended && linksOf(suspended)).toEqual([['Who did it', '/admin?person=neema']]);
});

test('every switch is named as it was turned; of one that there is no more nothing is said', async () => {
  const turned = (['switch_off', 'switch_on'] as const).flatMap((action) =>
    SWITCHES.map((target_id) => aLogEntry({ action, target_type: 'switch', target_id })),
  );
  const rows = await openLog([
    ...turned,
    aLogEntry({ action: 'switch_off', target_type: 'switch', target_id: 'zamani' }),
  ]);
  expect(rows.map((row) => row.getAllByRole('paragraph')[0]?.textContent)).toEqual([
    ...['New accounts were', 'Photos were', 'Claims were', 'WhatsApp notices were'].map(
      (name) => `${name} switched off`,
    ),
    ...['New accounts were', 'Photos were', 'Claims were', 'WhatsApp notices were'].map(
      (name) => `${name} switched on`,
    ),
    '',
  ]);
});
