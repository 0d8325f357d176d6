import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ReportedPost } from '#contract/moderation.ts';
import { serveWrite } from '#tests/web/support/account.ts';
import {
  ASHA,
  aCase,
  aReportedClaim,
  JUMA,
  minutesAgo,
  openAdmin,
  REPORT,
  serveAdmin,
  servePages,
} from '#tests/web/support/admin.ts';
import { aPost } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import type { QueuedCase } from '#web/admin/api.ts';

const CASE = aCase();
const POST = CASE.post;

/** Mocks the API for a platform admin. @returns the decisions that the app sends, an array that grows during a test. */
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

test('the moderators’ queue shows for each case the post, its reports, and facts about the author and the reporters', async () => {
  serve({ open: [CASE] });
  await renderScreen('/admin?tab=reports', { isSignedIn: true });
  const card = within(await findCard());
  for (const text of ['Scam', 'Anadai pesa']) expect(card.getByText(text)).toBeInTheDocument();
  for (const text of ['On Patikana since 1 November 2026', 'Number not confirmed', '3 posts', 'Reported 2 times'])
    expect(card.getAllByText(text)[0]).toBeInTheDocument();
  expect(card.getByRole('link', { name: 'Juma' })).toHaveAttribute('href', '/admin?person=juma');
});

const CLAIM = aReportedClaim({ private_marks: 'Kona moja imechanika', answer: 'Piga 0712 345 678' });

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
] as const)(
  'in the language %s, a case about a claim shows the claim’s status, texts and messages, and who reported the claim',
  async (language, reporter, by, status, money) => {
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
  },
);

test('with the focus anywhere in a case, the key K keeps the reported post and the key U undoes the decision', async () => {
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

test('the dialog that hides a reported post suggests a reason, and refuses an empty reason', async () => {
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
  // Letters typed into the field are no shortcuts: they decide nothing.
  await user.type(reason, 'Ukisema pesa kwanza, kusitisha');
  await user.click(dialog.getByRole('button', { name: 'Hide' }));
  expect(await within(card).findByText('It is hidden.')).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(card).toHaveFocus();
  expect(asked).toEqual([['posts', POST.id, 'hide', 'Ukisema pesa kwanza, kusitisha']]);
});

test('suspending the author of a reported post also hides the post, and undoing the decision reverts both', async () => {
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

test('a decision to hide a post has the button “Show again” but no “Undo” if the decision is older than ten minutes', async () => {
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

test('if the server refuses a decision on a case, the server’s explanation is shown and the case stays in the queue', async () => {
  serve({ open: [CASE] });
  server.use(
    http.post('*/api/admin/posts/:id/restore', () => HttpResponse.json({ detail: 'Haiwezekani.' }, { status: 403 })),
  );
  const { user } = await renderScreen('/admin?tab=reports', { isSignedIn: true });
  await user.click(within(await findCard()).getByRole('button', { name: /Keep/ }));
  expect(await screen.findByText('Haiwezekani.')).toBeInTheDocument();
  expect(within(await findCard()).getByRole('button', { name: /Keep/ })).toBeInTheDocument();
});

test('the admins’ page of a post says who hid the post', async () => {
  const post = { ...POST, is_hidden: true, hidden_by: ['admin'] };
  serve({});
  server.use(http.get('*/api/admin/posts/:id', () => HttpResponse.json({ post, author: JUMA, reports: [], log: [] })));
  await renderScreen(`/admin?post=${POST.id}`, { isSignedIn: true });
  expect(await screen.findByRole('heading', { level: 1, name: POST.title })).toBeInTheDocument();
  expect(screen.getByText('Hidden by an admin')).toBeInTheDocument();
});

describe('a case', () => {
  // Loaded in advance: on a busy machine, loading on demand takes longer than a test waits.
  beforeAll(() => import('#web/admin/admin-screen.tsx'));
  beforeEach(serveAdmin);

  async function openCase(overrides: Partial<QueuedCase> = {}, search = '?tab=reports') {
    servePages('reports', [aCase(overrides)]);
    const view = await openAdmin(search);
    const card = await screen.findByRole('listitem', { name: 'Simu kwa bei nafuu' });
    return { ...view, card, inside: within(card) };
  }

  test('shows the reported post, how long ago the post was first reported, and the keyboard shortcuts for decisions', async () => {
    const post = aPost({ id: 'simu', title: 'Simu kwa bei nafuu', location: 'Mbezi Mwisho', community_name: 'Shule' });
    const { inside } = await openCase({ post, since: minutesAgo(180) });
    expect(screen.getByRole('region', { name: 'Reports' })).toBeInTheDocument();
    expect(screen.getByText(/With the focus on a post: K keeps it/)).toBeInTheDocument();
    expect(inside.getByText('First reported 3 hours ago')).toBeInTheDocument();
    expect(inside.getByRole('link', { name: post.title })).toHaveAttribute('href', '/admin?post=simu');
    for (const text of [post.title, 'Mbezi Mwisho', 'Ina kava la bluu'])
      expect(inside.getByText(text)).toHaveAttribute('dir', 'auto');
    for (const text of ['Neema Mushi', '0712345678', 'Shule']) expect(inside.getByText(text)).toBeInTheDocument();
    for (const text of ['Its author has changed it', /^Hidden/]) expect(inside.queryByText(text)).toBeNull();
    for (const [name, letter] of [
      ['Keep', 'k'],
      ['Hide', 'h'],
      ['Suspend author', 's'],
    ])
      expect(inside.getByRole('button', { name })).toHaveAttribute('aria-keyshortcuts', letter);
    expect(inside.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  test('about a post that reports have hidden says “Hidden by reports”, and offers “Show again” instead of “Keep”', async () => {
    const post = aPost({ title: 'Simu kwa bei nafuu', is_hidden: true, hidden_by: ['reports'] });
    const { inside } = await openCase({ post, is_edited: true, author: { ...JUMA, is_suspended: true } });
    for (const text of ['Hidden by reports', 'Its author has changed it', 'Suspended'])
      expect(inside.getByText(text)).toBeInTheDocument();
    expect(inside.getByRole('button', { name: 'Show again' })).toBeInTheDocument();
    for (const name of ['Keep', 'Suspend author']) expect(inside.queryByRole('button', { name })).toBeNull();
  });

  test('shows no empty lines for details that the post lacks, and no empty list of reports', async () => {
    const post = aPost({ title: 'Simu kwa bei nafuu', phone_number: null, description: '' });
    const { inside } = await openCase({ post, reports: [], reporters: [] });
    expect(inside.getAllByRole('paragraph').map(({ textContent }) => textContent)).toEqual(['First reported now']);
    expect(inside.queryByRole('heading', { name: /report/ })).toBeNull();
    expect(inside.queryByText(/What is known of/)).toBeNull();
  });

  test('shows the reason and the reporter of each report, without the name of a deleted reporter', async () => {
    const reports = [
      { ...REPORT, created_at: minutesAgo(120) },
      { ...REPORT, reason: 'other' as const, text: null, reporter_id: null },
    ];
    const { inside } = await openCase({ reports, reporters: [ASHA, { ...JUMA, id: 'rehema', username: 'Rehema' }] });
    const list = within(inside.getByRole('heading', { level: 3, name: '2 reports' }).parentElement as HTMLElement);
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'ScamAnadai pesaBy Asha, 2 hours ago',
      'Something elseBy somebody who deleted their account, now',
    ]);
    expect(list.getByText('Anadai pesa')).toHaveAttribute('dir', 'auto');
    expect(inside.getByText('What is known of the 2 reporters')).toBeInTheDocument();
  });

  test('has facts about the author and the reporters below their names', async () => {
    const { inside } = await openCase({
      author: { ...JUMA, is_number_proven: true, post_count: 1, reports_against: 1, reports_made: 4 },
      reporters: [{ ...ASHA, created_at: '2026-10-05T09:00:00.000Z', is_suspended: true }],
    });
    // The reporters are inside a closed disclosure.
    const factsOf = (name: string) => {
      const heading = inside.getByRole('heading', { level: 3, name, hidden: true });
      return Array.from(heading.parentElement?.querySelectorAll('li') ?? [], ({ textContent }) => textContent);
    };
    const ofAuthor = ['Number confirmed', '1 post', 'Reported 1 time', 'Has reported 4 posts'];
    expect(factsOf('Posted by: Juma')).toEqual(['On Patikana since 1 November 2026', ...ofAuthor]);
    const ofReporter = ['Number not confirmed', '3 posts', 'Reported 0 times', 'Has reported 1 post', 'Suspended'];
    expect(factsOf('Reported by: Asha')).toEqual(['On Patikana since 5 October 2026', ...ofReporter]);
    expect(inside.getByText('What is known of the reporter')).toBeInTheDocument();
    for (const name of ['Juma', 'Asha'])
      expect(inside.getByRole('link', { name, hidden: true })).toHaveAttribute(
        'href',
        `/admin?person=${name.toLowerCase()}`,
      );
  });

  test.each([
    ['hidden', 9, 'It is hidden.', 'Undo', 'u'],
    ['hidden', 11, 'It is hidden.', 'Show again', 'k'],
    ['restored', 9, 'You kept it.', 'Undo', 'u'],
    ['restored', 11, 'You kept it.', 'Hide', 'h'],
  ] as const)('that was decided as “%s” %i minutes ago shows the result and the possible actions', async (...given) => {
    const [decision, minutes, sentence, name, letter] = given;
    const decided_at = minutesAgo(minutes);
    const decided = { status: 'decided', decision, decided_at, since: decided_at } as const;
    const { inside } = await openCase(decided, '?tab=decidedReports');
    expect(screen.getByRole('region', { name: 'Decided' })).toBeInTheDocument();
    expect(screen.queryByText(/With the focus on a post/)).toBeNull();
    expect(inside.getByText(`Decided ${minutes} minutes ago`)).toBeInTheDocument();
    expect(inside.getByText(sentence)).toBeInTheDocument();
    expect(inside.getAllByRole('button').map((button) => button.getAttribute('aria-keyshortcuts'))).toEqual([letter]);
    expect(inside.getByRole('button', { name })).toBeInTheDocument();
  });

  test('ignores held keys, keys that are no shortcuts, and keys pressed with Ctrl, Meta or Alt, but accepts capital letters', async () => {
    const kept = serveWrite('post', '/admin/posts/:id/restore');
    const { card, inside, user } = await openCase();
    inside.getByRole('link', { name: 'Simu kwa bei nafuu' }).focus();
    for (const held of ['ctrlKey', 'metaKey', 'altKey', 'repeat'])
      expect(fireEvent.keyDown(card, { key: 'k', [held]: true })).toBe(true);
    for (const key of ['u', 'x', 'Tab']) expect(fireEvent.keyDown(card, { key })).toBe(true);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(kept).toEqual([]);
    // A key that decides a case must not also trigger the browser's own shortcut, such as a search in the page.
    expect(fireEvent.keyDown(card, { key: 'H' })).toBe(false);
    const dialog = within(screen.getByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    fireEvent.keyDown(card, { key: 'K' });
    expect(await inside.findByText('You kept it.')).toBeInTheDocument();
    expect(kept).toEqual([{ reason: null }]);
  });

  test.each(['"', '\\', "'"])('ignores the pressed key %s, which has a meaning in CSS selectors', async (key) => {
    const { card } = await openCase();
    expect(fireEvent.keyDown(card, { key })).toBe(true);
  });
});
