import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { ReportedClaim, ReportedPost } from '#contract/moderation.ts';
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
import { server } from '#tests/web/support/setup.ts';

// Loads the admin screen in advance: on a busy machine, loading it on demand takes longer than a test waits.
beforeAll(() => import('#web/admin/admin-screen.tsx'));
beforeEach(serveAdmin);

const POST = aPost({ id: 'simu', title: 'Simu kwa bei nafuu' });
const CASE = aCase({ post: POST, since: minutesAgo(180) });

/** Answers decisions with the given responses. @returns the requests. */
function serveVerdicts(answer?: () => Response | Promise<Response>): unknown[] {
  const asked: unknown[] = [];
  server.use(
    http.post('*/api/admin/:what/:id/:verb', async ({ request, params }) => {
      const text = await request.text();
      asked.push([params.what, params.id, params.verb, ...(text ? [JSON.parse(text)] : [])]);
      return ((await answer?.()) ?? new HttpResponse(null, { status: 204 })) as never;
    }),
  );
  return asked;
}

async function openCase(entry: Partial<ReportedPost> = {}, search = '?tab=reports') {
  const queries = servePages('reports', [{ ...CASE, ...entry }, aCase({ id: 'b', post: aPost({ title: 'Pochi' }) })]);
  const view = await openAdmin(search);
  const card = await screen.findByRole('listitem', { name: POST.title });
  return { ...view, card, inside: within(card), queries };
}

const OLDER = { ...REPORT, created_at: minutesAgo(60) };

function refusal(detail?: string): Response {
  return HttpResponse.json({ detail }, { status: 403 });
}

test('the decision “Keep” on a reported post shows a message, changes no other post’s case, and can be undone', async () => {
  const asked = serveVerdicts();
  const { inside, card, user } = await openCase();
  await user.click(inside.getByRole('button', { name: 'Keep' }));
  expect(await screen.findByText('The post was kept.')).toBeInTheDocument();
  expect(inside.getByText('You kept it.')).toBeInTheDocument();
  expect(inside.getByText('Decided now')).toBeInTheDocument();
  const other = within(screen.getByRole('listitem', { name: 'Pochi' }));
  expect(other.getByRole('button', { name: 'Keep' })).toBeInTheDocument();
  await user.click(inside.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('The decision has been undone.')).toBeInTheDocument();
  expect(card).toHaveFocus();
  expect(inside.getByText(/^First reported/)).toBeInTheDocument();
  expect(inside.getByRole('button', { name: 'Keep' })).toBeInTheDocument();
  expect(asked).toEqual([
    ['posts', 'simu', 'restore', { reason: null }],
    ['posts', 'simu', 'undo'],
  ]);
});

test('suspending an author sends the reason to the server, and undoing the suspension reinstates the author', async () => {
  const asked = serveVerdicts();
  const { inside, card, user } = await openCase();
  await user.click(inside.getByRole('button', { name: 'Suspend author' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Suspend Juma?' }));
  expect(dialog.getByText(/They can read but post nothing/)).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Suspend author' }));
  expect(await screen.findByText('The post is hidden and its author suspended.')).toBeInTheDocument();
  expect(card).toHaveFocus();
  expect(inside.getByText('It is hidden, and its author is suspended.')).toBeInTheDocument();
  expect(inside.getByText('Suspended')).toBeInTheDocument();
  await user.click(inside.getByRole('button', { name: 'Undo' }));
  expect(await inside.findByRole('button', { name: 'Suspend author' })).toBeInTheDocument();
  expect(inside.queryByText('Suspended')).toBeNull();
  const reason = 'Your post looks like an attempt to cheat people.';
  const first = [
    ['users', 'juma', 'suspend', { reason }],
    ['posts', 'simu', 'hide', { reason }],
    ['users', 'juma', 'reinstate', { reason: null }],
    ['posts', 'simu', 'undo'],
  ];
  expect(asked).toEqual(first);
  // The next decision hides the post without suspending its author.
  await user.keyboard('h');
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Hide' }));
  expect(await screen.findByText('The post is hidden. Its author has been notified.')).toBeInTheDocument();
  expect(inside.getByText('It is hidden.')).toBeInTheDocument();
  await user.keyboard('u');
  expect(await inside.findByRole('button', { name: 'Keep' })).toBeInTheDocument();
  expect(asked.slice(4)).toEqual([
    ['posts', 'simu', 'hide', { reason }],
    ['posts', 'simu', 'undo'],
  ]);
});

test('undoing the decision to hide a post does not reinstate an author who was already suspended', async () => {
  const asked = serveVerdicts();
  const { inside, user } = await openCase({ author: { ...CASE.author, is_suspended: true } });
  await user.click(inside.getByRole('button', { name: 'Hide' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Hide' }));
  await user.click(await inside.findByRole('button', { name: 'Undo' }));
  expect(await inside.findByRole('button', { name: 'Hide' })).toBeInTheDocument();
  expect(inside.getByText('Suspended')).toBeInTheDocument();
  expect(asked.map((one) => (one as string[])[2])).toEqual(['hide', 'undo']);
});

test.each([
  ['en', [{ ...REPORT, reason: 'offensive' as const }, OLDER], 'Your post offends people. Please change it.'],
  ['sw', [REPORT], 'Tangazo lako linaonekana kuwa jaribio la kutapeli watu.'],
  ['en', [{ ...REPORT, reason: 'other' as const }, OLDER], ''],
  ['en', [], ''],
] as const)(
  'in the language %s, the dialog to hide a post suggests a text for the newest report’s reason, but none for “other” or without a report',
  async (language, reports, suggested) => {
    servePages('reports', [{ ...CASE, reports }]);
    const { user } = await openAdmin('?tab=reports', language);
    await user.click(await screen.findByRole('button', { name: language === 'en' ? 'Hide' : 'Lifiche' }));
    const dialog = within(screen.getByRole('dialog'));
    const reason = dialog.getByRole('textbox', { name: language === 'en' ? 'Reason' : 'Sababu' });
    expect(reason).toHaveValue(suggested);
    expect(reason).toHaveAccessibleDescription(/what would be better|nini kingefaa zaidi/);
  },
);

test('a case accepts no second decision while the first is being sent, and a failed decision refetches the list of cases', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const asked = serveVerdicts(() => promise);
  const { inside, user, queries } = await openCase();
  await user.dblClick(inside.getByRole('button', { name: 'Keep' }));
  for (const button of inside.getAllByRole('button')) {
    expect(button).toHaveAttribute('aria-busy', 'true');
    await user.click(button);
  }
  await user.keyboard('khs');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(asked).toHaveLength(1);
  const before = queries.length;
  servePages('reports', [aCase({ id: 'b', post: aPost({ title: 'Pochi' }) })]);
  resolve(refusal());
  expect(await screen.findByText('This could not be done. Please try again.')).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole('listitem', { name: POST.title })).toBeNull());
  expect(screen.getByRole('listitem', { name: 'Pochi' })).toBeInTheDocument();
  expect(queries).toHaveLength(before);
});

test('a double press on the button “Undo” of a decided case sends one request', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const asked = serveVerdicts(() => promise);
  const decided_at = minutesAgo(1);
  const decided = { status: 'decided', decision: 'hidden', decided_at, since: decided_at } as const;
  const { inside, user } = await openCase(decided, '?tab=decidedReports');
  const undo = inside.getByRole('button', { name: 'Undo' });
  await user.dblClick(undo);
  expect(undo).toHaveAttribute('aria-busy', 'true');
  expect(asked).toHaveLength(1);
  resolve(new HttpResponse(null, { status: 204 }));
  expect(await inside.findByRole('button', { name: 'Keep' })).toBeInTheDocument();
});

test('the dialog of a failed decision on a case shows an error until the next try, and can be closed', async () => {
  let next = Promise.withResolvers<Response>();
  const asked = serveVerdicts(() => next.promise);
  const { inside, user } = await openCase();
  await user.click(inside.getByRole('button', { name: 'Hide' }));
  const dialog = within(screen.getByRole('dialog', { name: `Hide “${POST.title}”?` }));
  expect(dialog.getByText(/Only its author and the admins will see the post/)).toBeInTheDocument();
  const button = dialog.getByRole('button', { name: 'Hide' });
  await user.dblClick(button);
  expect(button).toHaveAttribute('aria-busy', 'true');
  expect(asked).toHaveLength(1);
  next.resolve(refusal('Haiwezekani.'));
  expect(await dialog.findByRole('alert')).toHaveTextContent('Haiwezekani.');
  next = Promise.withResolvers();
  await user.click(button);
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(dialog.queryByRole('alert')).toBeNull();
  next.resolve(refusal());
  expect(await dialog.findByRole('alert')).toHaveTextContent('This could not be done. Please try again.');
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(inside.getByRole('button', { name: 'Keep' })).toBeInTheDocument();
});

test('in the list of decided cases a moderator can hide a post that an earlier decision left visible', async () => {
  const asked = serveVerdicts();
  const decided_at = minutesAgo(30);
  const decided = { status: 'decided', decision: 'restored', decided_at, since: decided_at } as const;
  const { inside, card, user } = await openCase(decided, '?tab=decidedReports');
  await user.click(inside.getByRole('button', { name: 'Hide' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Hide' }));
  expect(await inside.findByText('It is hidden.')).toBeInTheDocument();
  expect(card).toHaveFocus();
  expect(inside.getByRole('button', { name: 'Undo' })).toBeInTheDocument();
  expect(asked).toHaveLength(1);
});

async function openClaimCase(claim: Partial<ReportedClaim>, reporter_id: string | null) {
  const reported = aReportedClaim({ status: 'accepted', question: 'Ina rangi gani?', ...claim });
  const reports = [{ ...REPORT, reporter_id, claim: reported }];
  servePages('reports', [aCase({ reports, reporters: [ASHA, JUMA] })]);
  await openAdmin('?tab=reports');
  return within(await screen.findByRole('listitem', { name: 'Simu kwa bei nafuu' }));
}

test('the case of a reported claim shows who wrote each question, answer and message, and the time of each message', async () => {
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

test('a case about a claim does not say whether a deleted reporter was finder or claimant, and has no link to a deleted claimant', async () => {
  const card = await openClaimCase({ claimant_id: null }, null);
  expect(card.getByText('By somebody who deleted their account, now')).toBeInTheDocument();
  expect(card.getByText('Nyeusi')).toBeInTheDocument();
  expect(card.queryByRole('link', { name: 'Open the claimant' })).toBeNull();
});

test('a case about a post shows neither “About a claim” nor a question, answer or message of a claim', async () => {
  servePages('reports', [aCase()]);
  await openAdmin('?tab=reports');
  expect(await screen.findByText('By Asha, now')).toBeInTheDocument();
  expect(screen.queryByText('About a claim')).toBeNull();
  expect(screen.queryAllByRole('term')).toEqual([]);
});
