import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  AN_ADMIN,
  openAdmin,
  PASSKEYS,
  refusing,
  serveAdmin,
  servePages,
  servePasskeys,
  stubAuthenticator,
} from '#tests/web/support/admin.ts';
import { refuseWith } from '#tests/web/support/communities.ts';
import { refuse } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';

// Loads the screen in advance: on a busy machine, loading it on demand takes longer than a test waits.
beforeAll(() => import('#web/admin/admin-screen.tsx'));

const open = (language: 'en' | 'sw' = 'en') => renderScreen('/admin?tab=passkeys', { isSignedIn: true, language });

const findAdd = () => screen.findByRole('button', { name: 'Add a passkey' });

/** Returns the row of the passkey added on that day. */
async function rowOf(added: string) {
  return within((await screen.findByText(`Added on ${added}`)).closest('li') as HTMLElement);
}

test('an admin who enters the account’s password can add a first passkey, and the list then shows the passkey', async () => {
  const authenticator = stubAuthenticator();
  const served = servePasskeys([]);
  const { user } = await open();
  const section = within(await screen.findByRole('region', { name: 'Passkeys' }));
  expect(section.getByText(/^What admins change is protected by a passkey/)).toBeInTheDocument();
  expect(await section.findByText('You have no passkey yet.')).toBeInTheDocument();
  const password = section.getByLabelText('Your password');
  expect(password).toHaveAccessibleDescription('Only for the first passkey, so that nobody but you can add it.');
  expect(password).toHaveAttribute('autocomplete', 'current-password');
  expect(password).toHaveAttribute('type', 'password');
  await user.type(password, 'siri yangu');
  await user.click(section.getByRole('button', { name: 'Add a passkey' }));
  expect(await screen.findByText('The passkey has been added.')).toBeInTheDocument();
  const row = await rowOf('22 November 2026');
  expect(row.getByText('Not used yet')).toBeInTheDocument();
  expect(section.queryByText('You have no passkey yet.')).toBeNull();
  expect(section.queryByLabelText('Your password')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(authenticator.asked).toEqual(['create add']);
  expect(served.added).toMatchObject([
    { id: 'a2V5', rawId: 'a2V5', response: { attestationObject: 'bmV3' }, current_password: 'siri yangu' },
  ]);
});

test('an admin who types no password is not asked by the browser for a passkey', async () => {
  const authenticator = stubAuthenticator();
  servePasskeys([]);
  const { user } = await open();
  await user.click(await findAdd());
  const password = screen.getByLabelText('Your password');
  expect(password).toHaveAccessibleDescription(/Password is required/);
  expect(password).toBeInvalid();
  expect(password).toHaveFocus();
  expect(authenticator.asked).toEqual([]);
});

test.each([
  ['the first', []],
  ['a further', PASSKEYS],
])(
  'while the browser creates an admin’s passkey (%s one), a press on the button “Add a passkey” is ignored',
  async (_which, passkeys) => {
    const authenticator = stubAuthenticator();
    const touched = Promise.withResolvers<void>();
    authenticator.touch = () => touched.promise;
    servePasskeys(passkeys, { isShown: true });
    const { user } = await open();
    const add = await findAdd();
    if (passkeys.length === 0) await user.type(screen.getByLabelText('Your password'), 'siri{Enter}');
    else await user.click(add);
    await waitFor(() => expect(authenticator.asked).toHaveLength(1));
    expect(add).toHaveAttribute('aria-busy', 'true');
    await user.click(add);
    touched.resolve();
    expect(await screen.findByText('The passkey has been added.')).toBeInTheDocument();
    expect(authenticator.asked).toHaveLength(1);
  },
);

test('the list of an admin’s passkeys shows when each was added and last used; adding a further passkey requires no password', async () => {
  stubAuthenticator();
  const served = servePasskeys(PASSKEYS, { isShown: true });
  const { user } = await open();
  expect((await rowOf('1 November 2026')).getByText('Last used on 20 November 2026')).toBeInTheDocument();
  expect((await rowOf('2 November 2026')).getByText('Not used yet')).toBeInTheDocument();
  expect(screen.queryByLabelText('Your password')).toBeNull();
  expect(screen.queryByText('You have no passkey yet.')).toBeNull();
  await user.click(await findAdd());
  expect(await screen.findByText('The passkey has been added.')).toBeInTheDocument();
  expect(await rowOf('22 November 2026')).toBeDefined();
  expect(served.added).toHaveLength(1);
  expect(served.added[0]).not.toHaveProperty('current_password');
});

test.each([
  ['InvalidStateError', 'en', 'This device has one of your passkeys already.'],
  ['InvalidStateError', 'sw', 'Kifaa hiki tayari kina mojawapo ya funguo zako za siri.'],
  ['NotAllowedError', 'en', 'No passkey was used. Try again when you are ready.'],
  ['NotReadableError', 'en', 'No passkey was used. Try again when you are ready.'],
] as const)(
  'the error %s of the browser’s passkey dialog is explained, in the language %s, until the next try',
  async (name, language, sentence) => {
    const authenticator = stubAuthenticator();
    authenticator.touch = refusing(name);
    const served = servePasskeys(PASSKEYS, { isShown: true });
    const { user } = await open(language);
    const label = language === 'en' ? 'Add a passkey' : 'Ongeza ufunguo wa siri';
    await user.click(await screen.findByRole('button', { name: label }));
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
    expect(served.added).toEqual([]);
    const touched = Promise.withResolvers<void>();
    authenticator.touch = () => touched.promise;
    await user.click(screen.getByRole('button', { name: label }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    touched.resolve();
    await waitFor(() => expect(served.added).toHaveLength(1));
    expect(screen.queryByRole('alert')).toBeNull();
  },
);

test('adding a passkey with a wrong password shows the server’s error text; an unknown failure shows a general error text', async () => {
  stubAuthenticator();
  servePasskeys([]);
  server.use(http.post('*/api/me/passkeys', () => refuse(403, 'wrong_password', 'This is not your password.')));
  const { user } = await open();
  await user.type(await screen.findByLabelText('Your password'), 'si hili');
  await user.click(await findAdd());
  expect(await screen.findByRole('alert')).toHaveTextContent('This is not your password.');
  expect(screen.getByLabelText('Your password')).toHaveValue('si hili');
  server.use(http.post('*/api/me/passkeys', () => HttpResponse.json({}, { status: 500 })));
  await user.click(await findAdd());
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('This could not be done. Please try again.'));
});

test('removing a passkey needs a confirmation, and leaves the other passkeys', async () => {
  const served = servePasskeys(PASSKEYS, { isShown: true });
  const { user } = await open();
  const row = await rowOf('2 November 2026');
  await user.click(row.getByRole('button', { name: 'Remove' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Remove this passkey?' }));
  expect(dialog.getByText(/^You can no longer use it/)).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(served.removed).toEqual([]);
  await user.click(row.getByRole('button', { name: 'Remove' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('The passkey has been removed.')).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).toBeNull();
  await waitFor(() => expect(screen.getAllByText(/^Added on/)).toHaveLength(1));
  expect(screen.getByText('Added on 1 November 2026')).toBeInTheDocument();
  expect(served.removed).toEqual(['laptop']);
});

test('the dialog that removes a passkey locks its button during the request, and shows an error if the removal fails', async () => {
  servePasskeys(PASSKEYS, { isShown: true });
  const answered = Promise.withResolvers<void>();
  let asked = 0;
  server.use(
    http.delete('*/api/me/passkeys/:id', async () => {
      asked++;
      await answered.promise;
      return refuse(404, 'not_found', 'There is no such passkey.');
    }),
  );
  const { user } = await open();
  await user.click((await rowOf('1 November 2026')).getByRole('button', { name: 'Remove' }));
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.queryByRole('alert')).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(dialog.getByRole('button', { name: 'Remove' })).toHaveAttribute('aria-busy', 'true');
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  answered.resolve();
  expect(await dialog.findByRole('alert')).toHaveTextContent('There is no such passkey.');
  expect(asked).toBe(1);
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test.each([
  ['en', 'This browser does not support passkeys. Use a newer one, or another device.'],
  ['sw', 'Kivinjari hiki hakiwezi kutumia funguo za siri. Tumia kipya zaidi, au kifaa kingine.'],
] as const)(
  'without passkey support in the browser, the screen says so in the language %s and still lists the passkeys',
  async (language, sentence) => {
    servePasskeys();
    await open(language);
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
    expect(await screen.findByText(/^(Added on|Uliongezwa tarehe) 1 /)).toBeInTheDocument();
  },
);

test('the list of passkeys shows that it is loading; if loading fails, the user can try again', async () => {
  stubAuthenticator();
  servePasskeys();
  const answered = Promise.withResolvers<void>();
  server.use(
    http.get('*/api/me/passkeys', async () => {
      await answered.promise;
      return refuse(403, 'forbidden', 'Only for admins.');
    }),
  );
  const { user } = await open();
  const section = await screen.findByRole('region', { name: 'Passkeys' });
  expect(section.querySelector('[aria-busy=true]')).not.toBeNull();
  answered.resolve();
  expect(await within(section).findByRole('alert')).toHaveTextContent('Only for admins.');
  expect(section.querySelector('[aria-busy=true]')).toBeNull();
  expect(within(section).queryByRole('button', { name: 'Add a passkey' })).toBeNull();
  servePasskeys();
  await user.click(within(section).getByRole('button', { name: 'Try again' }));
  expect(await rowOf('1 November 2026')).toBeDefined();
  expect(within(section).queryByRole('alert')).toBeNull();
  expect(section.querySelector('[aria-busy=true]')).toBeNull();
});

describe('admins', () => {
  /** Serves two admins: Asha, and the user (Neema). The list shows Neema as suspended; `/api/me` does not. */
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

  const rowOf = async (name: string) =>
    within((await screen.findByRole('link', { name })).closest('li') as HTMLElement);

  test('the list of admins shows since when each person is an admin, and marks suspended admins', async () => {
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

  test('revoking an admin’s role needs a confirmation, removes the admin from the list and moves the focus to the list', async () => {
    serveAdmins();
    const { user } = await openAdmin('?tab=admins');
    await user.click((await rowOf('Asha')).getByRole('button', { name: 'Revoke the admin role of Asha' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Revoke the admin role of Asha?' }));
    await user.click(dialog.getByRole('button', { name: 'Revoke' }));
    expect(await screen.findByText('Asha is no longer a platform admin.')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Asha' })).toBeNull());
    expect(screen.getByRole('region', { name: 'Admins' })).toHaveFocus();
  });

  test('the role of the last admin cannot be revoked, and the dialog says why', async () => {
    serveAdmins();
    server.use(
      http.delete(
        '*/api/admin/admins/:userId',
        refuseWith(409, { code: 'last_admin', detail: 'Choose another admin first.' }),
      ),
    );
    const { user } = await openAdmin('?tab=admins');
    await user.click((await rowOf('Asha')).getByRole('button', { name: /^Revoke/ }));
    const dialog = within(screen.getByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Revoke' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Choose another admin first.');
  });

  test('an admin who revokes their own role no longer sees the administration', async () => {
    serveAdmins();
    const { user } = await openAdmin('?tab=admins');
    await user.click((await rowOf('Neema')).getByRole('button', { name: /^Revoke/ }));
    const dialog = within(screen.getByRole('dialog'));
    expect(dialog.getByText(/^You can no longer open the administration/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Revoke' }));
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
  });

  test('an admin who loses the admin role while the admin screen is open sees “Page not found” after opening the tab “Log”', async () => {
    const served = serveAdmins();
    servePages('communities', []);
    const { user } = await openAdmin('');
    expect(await screen.findByText('No community is waiting for approval.')).toBeInTheDocument();
    served.isAdmin = false;
    server.use(
      http.get('*/api/admin/log', refuseWith(403, { code: 'forbidden', detail: 'You are not allowed to do this.' })),
    );
    await user.click(screen.getByRole('tab', { name: 'Log' }));
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
    expect(screen.queryByRole('tab')).toBeNull();
  });

  test('an admin who loses the admin role while the admin screen is open sees “Page not found” when revoking another admin', async () => {
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
});
