import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { ReportedClaim, ReportedPost } from '#contract/moderation.ts';
import { aCase, JUMA, REPORT } from './support/admin.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const CASE = aCase();
const POST = CASE.post;

/** Answers as the server of a platform admin, and keeps what was asked of it. */
function serve({ open = [], decided = [] }: { open?: ReportedPost[]; decided?: ReportedPost[] }) {
  const asked: unknown[] = [];
  server.use(
    http.get('*/api/me', () => HttpResponse.json({ id: 'a-user', username: 'Neema', is_platform_admin: true })),
    http.get('*/api/admin/reports', ({ request }) =>
      HttpResponse.json(new URL(request.url).searchParams.get('status') === 'decided' ? decided : open),
    ),
    http.post('*/api/admin/:what/:id/:verb', async ({ request, params }) => {
      const text = await request.text();
      const body = text ? (JSON.parse(text) as { reason: string | null }) : null;
      asked.push([params.what, params.id, params.verb, ...(body?.reason ? [body.reason] : [])]);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return asked;
}

async function findCard() {
  return (await screen.findByRole('heading', { name: POST.title })).closest('li') as HTMLElement;
}

test('the queue shows the post, what is said against it and what is known of both', async () => {
  serve({ open: [CASE] });
  await renderScreen('/admin?tab=reports', { isSignedIn: true });
  const card = within(await findCard());
  for (const text of ['Scam', 'Anadai pesa']) expect(card.getByText(text)).toBeInTheDocument();
  for (const text of ['On Patikana since 1 November 2026', 'Number not confirmed', '3 posts', 'Reported 2 times'])
    expect(card.getAllByText(text)[0]).toBeInTheDocument();
  expect(card.getByRole('link', { name: 'Juma' })).toHaveAttribute('href', '/admin?person=juma');
});

const CLAIM: ReportedClaim = {
  id: 'dai',
  claimant_id: 'asha',
  status: 'asked',
  question: null,
  private_marks: 'Kona moja imechanika',
  answer: 'Piga 0712 345 678',
  messages: [
    { from: 'finder', text: 'Tuma elfu kumi', is_about_money: true, created_at: '2026-11-02T09:00:00.000Z' },
    { from: 'claimant', text: 'Kwa nini?', is_about_money: false, created_at: '2026-11-02T10:00:00.000Z' },
  ],
};

test.each([
  [
    'en',
    'asha',
    'By Asha, who claims the item, now',
    'Status: the finder has asked, waiting for the reply',
    'Mentions money',
  ],
  [
    'sw',
    'juma',
    'Na Juma, aliyekiokota, sasa hivi',
    'Hali: aliyekiokota ameuliza, dai linasubiri jibu',
    'Unataja pesa',
  ],
] as const)('a reported claim is shown whole, in %s', async (language, reporter, by, status, money) => {
  const reports = [{ ...REPORT, reporter_id: reporter, claim: CLAIM }];
  serve({ open: [{ ...CASE, reports, reporters: [...CASE.reporters, JUMA] }] });
  await renderScreen('/admin?tab=reports', { isSignedIn: true, language });
  const card = within(await findCard());
  for (const text of [by, status, money]) expect(card.getByText(text)).toBeInTheDocument();
  const claimant = card.getByRole('link', { name: language === 'en' ? 'Open the claimant' : 'Mfungue anayedai' });
  expect(claimant).toHaveAttribute('href', '/admin?person=asha');
  expect(card.getAllByRole('definition').map((text) => text.textContent)).toEqual([
    language === 'en' ? 'Nothing is written here.' : 'Hakuna kilichoandikwa hapa.',
    'Kona moja imechanika',
    'Piga 0712 345 678',
    'Tuma elfu kumi',
    'Kwa nini?',
  ]);
});

test('one key keeps the post and one undoes that, wherever in the card the focus is', async () => {
  const asked = serve({ open: [CASE] });
  const { user } = await renderScreen('/admin?tab=reports', { isSignedIn: true });
  const card = await findCard();
  within(card).getByRole('link', { name: POST.title }).focus();
  await user.keyboard('k');
  expect(await within(card).findByText('You kept it.')).toBeInTheDocument();
  expect(card).toHaveFocus();
  await user.keyboard('u');
  expect(await within(card).findByRole('button', { name: /Hide/ })).toBeInTheDocument();
  expect(asked).toEqual([
    ['posts', POST.id, 'restore'],
    ['posts', POST.id, 'undo'],
  ]);
});

test('hiding needs a reason, and one is suggested', async () => {
  const asked = serve({ open: [CASE] });
  const { user } = await renderScreen('/admin?tab=reports', { isSignedIn: true });
  const card = await findCard();
  within(card).getByRole('link', { name: POST.title }).focus();
  await user.keyboard('h');
  const dialog = within(await screen.findByRole('dialog', { name: `Hide “${POST.title}”?` }));
  const reason = dialog.getByRole('textbox', { name: 'Reason' });
  expect(reason).toHaveValue('Your post looks like an attempt to cheat people.');
  await user.clear(reason);
  await user.click(dialog.getByRole('button', { name: 'Hide' }));
  expect(dialog.getByText('Reason is required')).toBeInTheDocument();
  // Letters that are typed decide nothing.
  await user.type(reason, 'Ukisema pesa kwanza, kusitisha');
  await user.click(dialog.getByRole('button', { name: 'Hide' }));
  expect(await within(card).findByText('It is hidden.')).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(card).toHaveFocus();
  expect(asked).toEqual([['posts', POST.id, 'hide', 'Ukisema pesa kwanza, kusitisha']]);
});

test('suspending also hides the post, and undo reverts both', async () => {
  const asked = serve({ open: [CASE] });
  const { user } = await renderScreen('/admin?tab=reports', { isSignedIn: true, language: 'sw' });
  const card = await findCard();
  within(card).getByRole('link', { name: POST.title }).focus();
  await user.keyboard('s');
  const dialog = within(await screen.findByRole('dialog', { name: 'Msimamishe Juma?' }));
  await user.click(dialog.getByRole('button', { name: 'Msimamishe' }));
  expect(await within(card).findByText('Limefichwa, na aliyelitangaza amesimamishwa.')).toBeInTheDocument();
  await user.keyboard('u');
  await waitFor(() => expect(asked).toHaveLength(4));
  expect(asked.map((one) => (one as string[]).slice(0, 3))).toEqual([
    ['users', 'juma', 'suspend'],
    ['posts', POST.id, 'hide'],
    ['users', 'juma', 'reinstate'],
    ['posts', POST.id, 'undo'],
  ]);
});

test('an empty queue says so; after ten minutes a decision can no longer be undone, only reversed', async () => {
  const long = new Date(Date.now() - 11 * 60_000).toISOString();
  serve({ decided: [{ ...CASE, status: 'decided', decision: 'hidden', decided_at: long, since: long }] });
  const { user } = await renderScreen('/admin?tab=reports', { isSignedIn: true });
  expect(await screen.findByText('No reported post is waiting.')).toBeInTheDocument();
  await user.click(screen.getByRole('tab', { name: 'Decided' }));
  const card = within(await findCard());
  expect(card.getByText('It is hidden.')).toBeInTheDocument();
  expect(card.queryByRole('button', { name: /Undo/ })).toBeNull();
  expect(card.getByRole('button', { name: /Show again/ })).toBeInTheDocument();
});

test('a failure is shown, and the queue is reloaded', async () => {
  serve({ open: [CASE] });
  server.use(
    http.post('*/api/admin/posts/:id/restore', () => HttpResponse.json({ detail: 'Haiwezekani.' }, { status: 403 })),
  );
  const { user } = await renderScreen('/admin?tab=reports', { isSignedIn: true });
  await user.click(within(await findCard()).getByRole('button', { name: /Keep/ }));
  expect(await screen.findByText('Haiwezekani.')).toBeInTheDocument();
  expect(within(await findCard()).getByRole('button', { name: /Keep/ })).toBeInTheDocument();
});

test('the page of a post says by whom it is hidden, if it is by one alone', async () => {
  const post = { ...POST, is_hidden: true, hidden_by: ['admin'] };
  serve({});
  server.use(http.get('*/api/admin/posts/:id', () => HttpResponse.json({ post, author: JUMA, reports: [], log: [] })));
  await renderScreen(`/admin?post=${POST.id}`, { isSignedIn: true });
  expect(await screen.findByRole('heading', { level: 1, name: POST.title })).toBeInTheDocument();
  expect(screen.getByText('Hidden by an admin')).toBeInTheDocument();
});
