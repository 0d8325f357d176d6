import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { AdminCommunity } from '#contract/admin.ts';
import { refuse } from './support/communities.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const WAITING: AdminCommunity = {
  id: 'school',
  name: 'Shule ya Msingi Mbezi',
  description: 'Wazazi na walimu',
  approval_status: 0,
  creator_username: 'Neema',
  member_count: 1,
  created_at: '2026-11-01T09:00:00.000Z',
  has_admin: true,
  closes_at: null,
  pending_name: null,
  asker: {
    id: 'neema',
    username: 'Neema',
    created_at: '2026-10-01T09:00:00.000Z',
    is_number_proven: true,
    is_suspended: false,
    post_count: 2,
    reports_against: 0,
    reports_made: 0,
  },
  asker_whatsapp_number: '+255712345678',
  earlier_rejections: [],
};

/** Answers as the server of somebody who is a platform admin or not, and keeps what was decided. */
function serve(isAdmin: boolean, communities: AdminCommunity[] = [WAITING]) {
  const decided: unknown[] = [];
  const queries: string[] = [];
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
    http.get('*/api/admin/feedback', () =>
      HttpResponse.json([
        { id: '1', email: 'juma@example.com', message: 'Asante\nsana', created_at: '2026-11-20T09:00:00.000Z' },
      ]),
    ),
  );
  return { decided, queries };
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
    await screen.findByText(`“${WAITING.name}” has been approved. Its creator has been told.`),
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
  ['feedback', '/admin?tab=feedback', { id: '1', email: 'a@b.tz', message: 'Asante', created_at: WAITING.created_at }],
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
  expect(await screen.findByText(/Asante/)).toHaveTextContent('Asante sana');
  expect(screen.getByRole('link', { name: 'juma@example.com' })).toHaveAttribute('href', 'mailto:juma@example.com');
});
