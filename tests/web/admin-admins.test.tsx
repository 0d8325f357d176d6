import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, expect, test } from 'vitest';
import { AN_ADMIN, openAdmin, serveAdmin, servePages } from './support/admin.ts';
import { refuse } from './support/communities.ts';
import { server } from './support/setup.ts';

// Loaded once asked for, which on a busy machine takes longer than a test waits.
beforeAll(() => import('#web/admin/admin-screen.tsx'));

/** Asha, and the reader, who is suspended in no list but this one. */
function serveAdmins() {
  const served = {
    admins: [AN_ADMIN, { ...AN_ADMIN, id: 'a-user', username: 'Neema', is_suspended: true }],
    isAdmin: true,
  };
  serveAdmin();
  server.use(
    http.get('*/api/me', () =>
      HttpResponse.json({ id: 'a-user', username: 'Neema', is_platform_admin: served.isAdmin, is_suspended: false }),
    ),
    http.get('*/api/admin/admins', () => HttpResponse.json(served.admins)),
    http.delete('*/api/admin/admins/:userId', ({ params }) => {
      served.admins = served.admins.filter(({ id }) => id !== params.userId);
      served.isAdmin = params.userId !== 'a-user';
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return served;
}

const rowOf = async (name: string) => within((await screen.findByRole('link', { name })).closest('li') as HTMLElement);

test('each admin is listed since when, with their page, their actions and whether they are suspended', async () => {
  serveAdmins();
  await openAdmin('?tab=admins');
  const asha = await rowOf('Asha');
  expect(asha.getByText('asha@example.com')).toBeInTheDocument();
  expect(asha.getByText('Admin since 1 November 2026')).toBeInTheDocument();
  expect(asha.getByRole('link', { name: 'Asha' })).toHaveAttribute('href', '/admin?person=asha');
  expect(asha.getByRole('link', { name: 'What they did' })).toHaveAttribute('href', '/admin?tab=log&by=asha');
  expect(asha.queryByText('Suspended')).toBeNull();
  expect((await rowOf('Neema')).getByText('Suspended')).toBeInTheDocument();
});

test('revoking asks first, removes the admin from the list and leaves the focus with it', async () => {
  serveAdmins();
  const { user } = await openAdmin('?tab=admins');
  await user.click((await rowOf('Asha')).getByRole('button', { name: 'Revoke the admin role of Asha' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Revoke the admin role of Asha?' }));
  await user.click(dialog.getByRole('button', { name: 'Revoke' }));
  expect(await screen.findByText('Asha is no longer a platform admin.')).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Asha' })).toBeNull());
  expect(screen.getByRole('region', { name: 'Admins' })).toHaveFocus();
});

test('the last admin cannot be revoked, and the dialog says why', async () => {
  serveAdmins();
  server.use(
    http.delete(
      '*/api/admin/admins/:userId',
      refuse(409, { code: 'last_admin', detail: 'Choose another admin first.' }),
    ),
  );
  const { user } = await openAdmin('?tab=admins');
  await user.click((await rowOf('Asha')).getByRole('button', { name: /^Revoke/ }));
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Revoke' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('Choose another admin first.');
});

test('revoking your own role closes the administration', async () => {
  serveAdmins();
  const { user } = await openAdmin('?tab=admins');
  await user.click((await rowOf('Neema')).getByRole('button', { name: /^Revoke/ }));
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByText(/^You can no longer open the administration/)).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Revoke' }));
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
});

test('an admin who is suspended meanwhile finds no administration any more', async () => {
  const served = serveAdmins();
  servePages('communities', []);
  const { user } = await openAdmin('');
  expect(await screen.findByText('No community is waiting for approval.')).toBeInTheDocument();
  served.isAdmin = false;
  server.use(
    http.get('*/api/admin/log', refuse(403, { code: 'forbidden', detail: 'You are not allowed to do this.' })),
  );
  await user.click(screen.getByRole('tab', { name: 'Log' }));
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
  expect(screen.queryByRole('tab')).toBeNull();
});

test('an admin who is suspended meanwhile decides nothing, and finds no administration any more', async () => {
  const served = serveAdmins();
  server.use(
    http.delete('*/api/admin/admins/:userId', () => {
      served.isAdmin = false;
      return HttpResponse.json({ code: 'forbidden', detail: 'You are not allowed to do this.' }, { status: 403 });
    }),
  );
  const { user } = await openAdmin('?tab=admins');
  await user.click((await rowOf('Asha')).getByRole('button', { name: /^Revoke/ }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Revoke' }));
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
});
