import { screen, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { ReportedClaim } from '#contract/moderation.ts';
import { ASHA, aCase, JUMA, openAdmin, REPORT, serveAdmin, servePages } from './support/admin.ts';

// Loaded once asked for, which on a busy machine takes longer than a test waits.
beforeAll(() => import('#web/admin/admin-screen.tsx'));
beforeEach(serveAdmin);

const CLAIM: ReportedClaim = {
  id: 'dai',
  claimant_id: 'asha',
  status: 'accepted',
  question: 'Ina rangi gani?',
  private_marks: null,
  answer: 'Nyeusi',
  messages: [
    { from: 'finder', text: 'Tuma elfu kumi', is_about_money: true, created_at: '2026-11-02T09:00:00.000Z' },
    { from: 'claimant', text: 'Kwa nini?', is_about_money: false, created_at: '2026-11-02T10:00:00.000Z' },
  ],
};

async function openClaimCase(claim: Partial<ReportedClaim>, reporter_id: string | null) {
  const reports = [{ ...REPORT, reporter_id, claim: { ...CLAIM, ...claim } }];
  servePages('reports', [aCase({ reports, reporters: [ASHA, JUMA] })]);
  await openAdmin('?tab=reports');
  return within(await screen.findByRole('listitem', { name: 'Simu kwa bei nafuu' }));
}

test('each text of a reported claim stands under whose it is, and messages with their time', async () => {
  const card = await openClaimCase({}, 'juma');
  expect(card.getByText('About a claim')).toBeInTheDocument();
  expect(card.getByText('By Juma, who found the item, now')).toBeInTheDocument();
  expect(card.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    'The finder’s question',
    'What only the finder knows',
    'The claimant’s answer',
    'The finder writes2 Nov 2026, 12:00Mentions money',
    'The claimant writes2 Nov 2026, 13:00',
  ]);
  expect(card.getByText('2 Nov 2026, 12:00')).toHaveAttribute('datetime', '2026-11-02T09:00:00.000Z');
  for (const text of ['Ina rangi gani?', 'Nyeusi', 'Tuma elfu kumi', 'Kwa nini?'])
    expect(card.getByText(text)).toHaveAttribute('dir', 'auto');
  expect(card.getByText('Nothing is written here.')).toBeInTheDocument();
});

test('a reporter whose account is gone is on neither side, and a claimant who is gone cannot be opened', async () => {
  const card = await openClaimCase({ claimant_id: null }, null);
  expect(card.getByText('By somebody who deleted their account, now')).toBeInTheDocument();
  expect(card.getByText('Nyeusi')).toBeInTheDocument();
  expect(card.queryByRole('link', { name: 'Open the claimant' })).toBeNull();
});

test('a report of the post itself has no claim below it', async () => {
  servePages('reports', [aCase()]);
  await openAdmin('?tab=reports');
  expect(await screen.findByText('By Asha, now')).toBeInTheDocument();
  expect(screen.queryByText('About a claim')).toBeNull();
  expect(screen.queryAllByRole('term')).toEqual([]);
});
