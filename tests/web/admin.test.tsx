import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { AdminCommunity } from '#contract/admin.ts';
import type { FeedbackEntry } from '#contract/feedback.ts';
import { refuse, WAITING_SCHOOL as WAITING } from './support/communities.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const THANKS: FeedbackEntry = {
  id: '1',
  email: 'juma@example.com',
  message: 'Asante\nsana',
  created_at: '2026-11-20T09:00:00.000Z',
  done_at: null,
};

/** Answers as the server of somebody who is a platform admin or not, and keeps what was decided. */
function serve(isAdmin: boolean, communities: AdminCommunity[] = [WAITING]) {
  const decided: unknown[] = [];
  const queries: string[] = [];
  const done: unknown[] = [];
  let left = communities;
  server.use(
    http.get('*/api/me', () => HttpResponse.json({ id: 'a-user', username: 'Asha', is_platform_admin: isAdmin })),
    http.get('*/api/admin/communities', ({ request }) => {
      const query = new URL(request.url).searchParams;
      queries.push(query.toString());
      const status = query.get('status') === 'approved' ? 1 : 0;
      return HttpResponse.json(left.filter((community) => community.approval_status === status));
    }),
    http.post('*/api/admin/communities/:id/:verb', async ({ request, params }) => {
      const text = await request.text();
      decided.push([params.id, params.verb, ...(text ? [JSON.parse(text)] : [])]);
      left = [];
      return new HttpResponse(null, { status: 204 });
    }),
    http.get('*/api/admin/feedback', ({ request }) => {
      const isDone = new URL(request.url).searchParams.get('state') === 'done';
      return HttpResponse.json(
        isDone === (done.at(-1) === THANKS.id) ? [{ ...THANKS, done_at: isDone ? THANKS.created_at : null }] : [],
      );
    }),
    http.post('*/api/admin/feedback/:id/done', ({ params }) => {
      done.push(params.id);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return { decided, queries, done };
}

test('a visitor and a person who is no admin find nothing at the address', async () => {
  const visit = await renderScreen('/admin');
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
  visit.unmount();
  serve(false);
  await renderScreen('/admin', { isSignedIn: true });
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
  expect(screen.queryByRole('tab')).toBeNull();
});

test('an admin approves what waits', async () => {
  const { decided } = serve(true);
  const { user } = await renderScreen('/admin', { isSignedIn: true });
  const card = within((await screen.findByRole('heading', { name: WAITING.name })).closest('li') as HTMLElement);
  expect(card.getByText('Created by Neema on 1 November 2026')).toBeInTheDocument();
  await user.click(card.getByRole('button', { name: 'Approve' }));
  expect(await screen.findByText('No community is waiting for approval.')).toBeInTheDocument();
  expect(
    await screen.findByText(`“${WAITING.name}” has been approved. Its creator has been notified.`),
  ).toBeInTheDocument();
  expect(decided).toEqual([['school', 'approve', { name: WAITING.name }]]);
});

test('a rejection needs a reason', async () => {
  const { decided } = serve(true);
  const { user } = await renderScreen('/admin', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Reject' }));
  const dialog = within(screen.getByRole('dialog', { name: `Reject “${WAITING.name}”?` }));
  await user.click(dialog.getByRole('button', { name: 'Reject' }));
  expect(dialog.getByText('Reason is required')).toBeInTheDocument();
  expect(decided).toEqual([]);
  await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Jina halieleweki');
  await user.click(dialog.getByRole('button', { name: 'Reject' }));
  expect(await screen.findByText('No community is waiting for approval.')).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(decided).toEqual([['school', 'reject', { reason: 'Jina halieleweki' }]]);
});

test('a rejection that fails says so in its dialog, and keeps the reason', async () => {
  serve(true);
  server.use(http.post('*/api/admin/communities/:id/reject', refuse(503, {})));
  const { user } = await renderScreen('/admin', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Reject' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Jina halieleweki');
  await user.click(dialog.getByRole('button', { name: 'Reject' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('This could not be done. Please try again.');
  expect(dialog.getByRole('textbox', { name: 'Reason' })).toHaveValue('Jina halieleweki');
});

test('what another admin decided first is said, and the list is read anew', async () => {
  serve(true);
  server.use(http.post('*/api/admin/communities/:id/approve', refuse(409, { detail: 'Already approved.' })));
  const { user } = await renderScreen('/admin', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Approve' }));
  expect(await screen.findByText('Already approved.')).toBeInTheDocument();
});

test('approved communities are searched, and cannot be decided again', async () => {
  const { queries } = serve(true, [{ ...WAITING, approval_status: 1, member_count: 40 }]);
  const { user, router } = await renderScreen('/admin', { isSignedIn: true });
  await user.click(await screen.findByRole('tab', { name: 'Approved' }));
  expect(router.state.location.search).toBe('?tab=approved');
  expect(await screen.findByText('Members: 40')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
  await user.type(screen.getByRole('textbox', { name: 'Search communities' }), 'mbezi');
  await expect.poll(() => queries.at(-1)).toBe('status=approved&search=mbezi');
});

test.each([
  ['communities', '/admin', WAITING],
  ['feedback', '/admin?tab=feedback', THANKS],
])('a further page of %s that cannot be loaded is said to be missing', async (name, address, row) => {
  serve(true);
  server.use(
    http.get(`*/api/admin/${name}`, ({ request }) =>
      new URL(request.url).searchParams.has('cursor')
        ? HttpResponse.json({}, { status: 403 })
        : HttpResponse.json([row], { headers: { Link: `</api/admin/${name}?cursor=next>; rel="next"` } }),
    ),
  );
  const { user } = await renderScreen(address, { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Show more' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('This could not be done. Please try again.');
  expect(screen.getByRole('button', { name: 'Show more' })).toBeEnabled();
});

test('the feedback inbox shows who wrote what, in Swahili too', async () => {
  serve(true);
  await renderScreen('/admin?tab=feedback', { isSignedIn: true, language: 'sw' });
  expect(await screen.findByRole('tab', { name: 'Maoni' })).toHaveAttribute('aria-selected', 'true');
  const message = await screen.findByText(/Asante/);
  expect(message).toHaveTextContent('Asante sana');
  expect(message).toHaveAttribute('dir', 'auto');
  expect(screen.getByText('20 Nov 2026, 12:00')).toHaveAttribute('datetime', '2026-11-20T09:00:00.000Z');
  expect(screen.getByRole('link', { name: 'juma@example.com' })).toHaveAttribute('href', 'mailto:juma@example.com');
});

test('a community that waits comes with who asks, whom to call and what was rejected before', async () => {
  const rejection = { name: 'Shule', reason: 'Jina fupi mno.', rejected_at: '2026-10-20T09:00:00.000Z' };
  serve(true, [{ ...WAITING, earlier_rejections: [rejection] }]);
  await renderScreen('/admin', { isSignedIn: true });
  const card = within((await screen.findByRole('heading', { name: WAITING.name })).closest('li') as HTMLElement);
  expect(card.getByText('On Patikana since 1 October 2026')).toBeInTheDocument();
  expect(card.getByText('Number confirmed')).toBeInTheDocument();
  expect(card.getByText('2 posts')).toBeInTheDocument();
  expect(card.getByText('Wazazi na walimu')).toBeInTheDocument();
  expect(card.getByRole('link', { name: 'Call +255712345678' })).toHaveAttribute('href', 'tel:+255712345678');
  expect(card.getByText('“Shule”, on 20 October 2026')).toBeInTheDocument();
  expect(card.getByText('Jina fupi mno.')).toBeInTheDocument();
});

test('a new name is decided by itself', async () => {
  const { decided } = serve(true, [{ ...WAITING, pending_name: 'Shule ya Mbezi Juu' }]);
  const { user } = await renderScreen('/admin', { isSignedIn: true });
  expect(await screen.findByText('New name: “Shule ya Mbezi Juu”')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Reject the name' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Reject the name “Shule ya Mbezi Juu”?' }));
  expect(dialog.getByText(/The community keeps the name it has/)).toBeInTheDocument();
  await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Lina makosa');
  await user.click(dialog.getByRole('button', { name: 'Reject' }));
  await expect.poll(() => decided).toEqual([['school', 'reject', { reason: 'Lina makosa' }]]);
});

test('a community that nobody runs is given an admin from among its members', async () => {
  const { decided, queries } = serve(true, [{ ...WAITING, approval_status: 1, has_admin: false }]);
  server.use(
    http.get('*/api/admin/communities/school/members', () =>
      HttpResponse.json([{ user_id: 'u2', username: 'Juma', role: 'member', joined_at: '2026-11-02T00:00:00.000Z' }]),
    ),
  );
  const { user } = await renderScreen('/admin?tab=approved&search=Mbezi', { isSignedIn: true });
  expect(await screen.findByText(/This community has no admin/)).toBeInTheDocument();
  expect(queries[0]).toContain('search=Mbezi');
  await user.click(screen.getByRole('button', { name: 'Choose an admin' }));
  await user.click(await screen.findByRole('button', { name: 'Appoint Juma' }));
  await expect.poll(() => decided).toEqual([['school', 'admins', { user_id: 'u2' }]]);
});

test('feedback that is marked as done moves to the done ones, which the address names', async () => {
  const { done } = serve(true);
  const { user, router } = await renderScreen('/admin?tab=feedback', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Mark as done' }));
  expect(await screen.findByText('No feedback is waiting.')).toBeInTheDocument();
  expect(screen.getByText('The feedback is marked as done.')).toBeInTheDocument();
  expect(screen.getByRole('region', { name: 'Feedback' })).toHaveFocus();
  expect(done).toEqual(['1']);
  await user.selectOptions(screen.getByRole('combobox', { name: 'Show' }), 'Done');
  expect(router.state.location.search).toBe('?tab=feedback&state=done');
  expect(await screen.findByText('Done on 20 Nov 2026, 12:00')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Mark as done' })).toBeNull();
});

test('an approved community is suspended with a reason, and reinstated without one', async () => {
  let community: AdminCommunity = { ...WAITING, approval_status: 1 };
  const { decided } = serve(true);
  server.use(
    http.get('*/api/admin/communities', () => HttpResponse.json([community])),
    http.post('*/api/admin/communities/:id/:verb', async ({ request, params }) => {
      const body = (await request.json()) as { reason: string | null };
      decided.push([params.verb, body]);
      const isSuspended = params.verb === 'suspend';
      community = {
        ...community,
        suspended_at: isSuspended ? '2026-11-20T09:00:00.000Z' : null,
        suspension_reason: isSuspended ? body.reason : null,
      };
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = await renderScreen('/admin?tab=approved', { isSignedIn: true });
  const button = await screen.findByRole('button', { name: `Suspend ${WAITING.name}` });
  await user.click(button);
  const dialog = within(screen.getByRole('dialog', { name: `Suspend the community “${WAITING.name}”?` }));
  await user.click(dialog.getByRole('button', { name: 'Suspend' }));
  expect(decided).toEqual([]);
  await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Utapeli');
  await user.click(dialog.getByRole('button', { name: 'Suspend' }));
  expect(await screen.findByText('Suspended since 20 Nov 2026, 12:00')).toBeInTheDocument();
  expect(screen.getByText('Reason: Utapeli')).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).toBeNull();
  // The same button, to which the dialog has returned the focus.
  expect(screen.getByRole('button', { name: `Reinstate ${WAITING.name}` })).toBe(button);
  await user.click(screen.getByRole('button', { name: `Reinstate ${WAITING.name}` }));
  expect(await screen.findByRole('button', { name: `Suspend ${WAITING.name}` })).toBeInTheDocument();
  expect(decided).toEqual([
    ['suspend', { reason: 'Utapeli' }],
    ['reinstate', { reason: null }],
  ]);
});

test('a community that waits cannot be suspended', async () => {
  serve(true);
  await renderScreen('/admin', { isSignedIn: true });
  expect(await screen.findByRole('button', { name: 'Approve' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /^Suspend/ })).toBeNull();
});
