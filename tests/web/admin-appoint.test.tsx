import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { CommunityMember } from '#contract/communities.ts';
import { openAdmin, serveAdmin, servePages } from './support/admin.ts';
import { MEMBERS, WAITING_SCHOOL } from './support/communities.ts';
import { server } from './support/setup.ts';

// Loaded once asked for, which on a busy machine takes longer than a test waits.
beforeAll(() => import('#web/admin/admin-screen.tsx'));
beforeEach(serveAdmin);

const [NEEMA, JUMA] = MEMBERS as [CommunityMember, CommunityMember];
const ORPHAN = { ...WAITING_SCHOOL, approval_status: 1, has_admin: false } as const;
const MEMBERS_PATH = 'communities/school/members';

/** A community that nobody runs until an admin of it is appointed. @returns who was. */
function serve(answer?: () => Response | Promise<Response>): unknown[] {
  let hasAdmin = false;
  const asked: unknown[] = [];
  server.use(
    http.get('*/api/admin/communities', () => HttpResponse.json([{ ...ORPHAN, has_admin: hasAdmin }])),
    http.post('*/api/admin/communities/:id/admins', async ({ request, params }) => {
      asked.push([params.id, await request.json()]);
      const refused = await answer?.();
      if (refused) return refused as never;
      hasAdmin = true;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return asked;
}

async function openDialog() {
  const view = await openAdmin('?tab=approved');
  await view.user.click(await screen.findByRole('button', { name: 'Choose an admin' }));
  return { ...view, dialog: within(screen.getByRole('dialog', { name: `Who should run “${ORPHAN.name}”?` })) };
}

test('the members are shown with their day of joining, as far as there are any, and one is appointed', async () => {
  const asked = serve();
  const queries = servePages(MEMBERS_PATH, [NEEMA], [JUMA]);
  const { dialog, user } = await openDialog();
  expect(dialog.getByText('The member becomes its admin at once. Call them first.')).toBeInTheDocument();
  expect(await dialog.findByText('Neema')).toHaveAttribute('dir', 'auto');
  expect(dialog.getByText('Joined on 1 October 2026')).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Show more' }));
  await user.click(await dialog.findByRole('button', { name: 'Appoint Juma Hassan' }));
  expect(await screen.findByText(`“${ORPHAN.name}” has an admin again.`)).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).toBeNull();
  await waitFor(() => expect(screen.queryByText(/This community has no admin/)).toBeNull());
  expect(queries.map((query) => query.get('cursor') ?? '')).toEqual(['', '1']);
  expect(asked).toEqual([['school', { user_id: '2' }]]);
});

test('the dialog says that it loads and that it could not, and can be closed and opened again', async () => {
  serve();
  let next = Promise.withResolvers<Response>();
  server.use(http.get(`*/api/admin/${MEMBERS_PATH}`, () => next.promise as never));
  const { dialog, user } = await openDialog();
  const isBusy = () => screen.getByRole('dialog').querySelector('div[aria-busy=true]') !== null;
  expect(isBusy()).toBe(true);
  next.resolve(HttpResponse.json({}, { status: 503, headers: { 'Retry-After': '60' } }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('This could not be done. Please try again.');
  expect(isBusy()).toBe(false);
  next = Promise.withResolvers();
  next.resolve(HttpResponse.json(MEMBERS));
  await user.click(dialog.getByRole('button', { name: 'Try again' }));
  expect(await dialog.findByText('Neema')).toBeInTheDocument();
  expect(dialog.queryByRole('alert')).toBeNull();
  expect(isBusy()).toBe(false);
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  // Somebody may have joined or left since.
  servePages(MEMBERS_PATH, [JUMA]);
  await user.click(screen.getByRole('button', { name: 'Choose an admin' }));
  expect(await screen.findByText('Juma Hassan')).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Appoint Neema' })).toBeNull());
});

test('nobody is appointed twice, and what fails is said in the dialog', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const asked = serve(() => promise);
  servePages(MEMBERS_PATH, MEMBERS);
  const { dialog, user } = await openDialog();
  await user.dblClick(await dialog.findByRole('button', { name: 'Appoint Neema' }));
  const other = dialog.getByRole('button', { name: 'Appoint Juma Hassan' });
  expect(other).toHaveAttribute('aria-busy', 'true');
  await user.click(other);
  expect(asked).toHaveLength(1);
  resolve(HttpResponse.json({ detail: 'Ameondoka.' }, { status: 409 }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('Ameondoka.');
  expect(other).not.toHaveAttribute('aria-busy');
});

test('the dialog closes before the list is read anew, and the reader’s own communities are read anew too', async () => {
  serve();
  servePages(MEMBERS_PATH, MEMBERS);
  let asked = 0;
  server.use(
    http.get('*/api/communities', () => {
      asked++;
      return HttpResponse.json([]);
    }),
  );
  const { user, router } = await openDialog();
  await act(() => router.navigate('/communities'));
  await waitFor(() => expect(asked).toBe(1));
  await act(() => router.navigate('/admin?tab=approved'));
  await user.click(await screen.findByRole('button', { name: 'Choose an admin' }));
  const appoint = await screen.findByRole('button', { name: 'Appoint Neema' });
  server.use(http.get('*/api/admin/communities', () => new Promise<never>(() => undefined)));
  await user.click(appoint);
  expect(await screen.findByText(/has an admin again/)).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).toBeNull();
  await act(() => router.navigate('/communities'));
  await waitFor(() => expect(asked).toBe(2));
});
