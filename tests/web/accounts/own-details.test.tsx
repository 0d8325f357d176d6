import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { StrictMode } from 'react';
import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { expect, test } from 'vitest';
import type { Me } from '#contract/accounts.ts';
import { DEVICES, ME, serveAccount, serveWrite } from '#tests/web/support/account.ts';
import { refuse } from '#tests/web/support/posts.ts';
import { keepAnswers, renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { queryClient } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { routes } from '#web/app/router.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';

async function open(language: 'en' | 'sw' = 'en') {
  const view = await renderScreen('/account', { language, isSignedIn: true });
  await screen.findByText('asha@example.com');
  return view;
}

async function openDialog(user: User, button: string) {
  await user.click(await screen.findByRole('button', { name: button }));
  return within(screen.getByRole('dialog'));
}

type User = Awaited<ReturnType<typeof open>>['user'];
type Dialog = Awaited<ReturnType<typeof openDialog>>;

/** Types the same password into each password field of the dialog. */
async function fillPasswords(user: User, dialog: Dialog) {
  for (const label of ['Your password', 'New password', 'Confirm the new password'])
    for (const field of dialog.queryAllByLabelText(label)) await user.type(field, 'embe bivu tamu');
}

const changed = (body: Partial<Me>) => HttpResponse.json({ ...ME, ...body });

test.each([
  [{ is_email_proven: true }, 'Change email', 'Change number'],
  [{ is_whatsapp_verified: false }, 'Confirm the email', 'Confirm the number'],
] as const)(
  'for an account with the data %j, the account screen offers “%s” for the e-mail address and “%s” for the phone number',
  async (me, email, number) => {
    serveAccount(me);
    const { user, router } = await open();
    expect(screen.getByRole('button', { name: email })).toBeInTheDocument();
    await user.click(screen.getByRole('link', { name: number }));
    expect(router.state.location).toMatchObject({ pathname: '/prove-number', state: { from: '/account' } });
  },
);

test('the account screen of a user without a phone number shows “None”, and does not mark the number as unproven', async () => {
  serveAccount({ whatsapp_number: null, is_whatsapp_verified: false, is_email_proven: true });
  await open();
  expect(screen.getByText('None').parentElement).toHaveTextContent(/^WhatsApp numberNone$/);
  expect(screen.getByText('asha@example.com').parentElement).toHaveTextContent('Confirmed');
});

test('the dialog for a new e-mail address starts empty, sends the address once and closes', async () => {
  serveAccount({ is_email_proven: true });
  const bodies = serveWrite('post', '/me/email', () => HttpResponse.json({ success: true }));
  const { user } = await open();
  const dialog = await openDialog(user, 'Change email');
  expect(screen.getByRole('dialog', { name: 'Your email' })).toHaveTextContent(/Open it within 24 hours/);
  expect(dialog.getByLabelText('Email')).toHaveValue('');
  expect(dialog.getByLabelText('Email')).toHaveAttribute('type', 'email');
  await user.click(dialog.getByRole('button', { name: 'Send me the link' }));
  expect(dialog.getByText('Email is required')).toBeInTheDocument();
  await user.type(dialog.getByLabelText('Email'), 'asha@mpya.example');
  await user.type(dialog.getByLabelText('Your password'), 'tumaini');
  const places = dialog.getAllByRole('status');
  await user.click(dialog.getByRole('button', { name: 'Send me the link' }));
  const said = await screen.findByText(/^We have sent a link to asha@mpya.example/);
  expect(said.closest('[role=status]')).not.toBeNull();
  // A screen reader ignores a live region that appears together with its text.
  expect(places).toContain(said.closest('[role=status]'));
  expect(bodies).toEqual([{ email: 'asha@mpya.example', current_password: 'tumaini' }]);
  await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('if the server refuses a new name, the reason appears beside the field, and if the server saves it, a message appears', async () => {
  serveAccount();
  const message = 'Jina hili halifai.';
  serveWrite('patch', '/me', () => refuse(422, 'validation_failed', message, [{ field: 'username', message }]));
  const { user } = await open();
  const dialog = await openDialog(user, 'Change name');
  const name = dialog.getByLabelText('Name');
  expect(name).toHaveValue('Asha');
  await user.clear(name);
  await user.type(name, 'Asha M{Enter}');
  await waitFor(() => expect(name).toHaveAccessibleDescription(expect.stringContaining(message)));
  expect(name).toHaveFocus();
  serveWrite('patch', '/me', changed);
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved.')).toBeInTheDocument();
  expect(await screen.findByText('Asha M')).toBeInTheDocument();
});

test('pressing Enter twice sends the change of the name once, and the button shows that it is being sent', async () => {
  serveAccount();
  const answered = Promise.withResolvers<void>();
  const bodies = serveWrite('patch', '/me', (async (body: Partial<Me>) => {
    await answered.promise;
    return changed(body);
  }) as never);
  const { user } = await open();
  const dialog = await openDialog(user, 'Change name');
  await user.type(dialog.getByLabelText('Name'), ' M{Enter}');
  expect(await dialog.findByRole('button', { name: 'Saving…' })).toHaveAttribute('aria-disabled', 'true');
  dialog.getByLabelText<HTMLInputElement>('Name').form?.requestSubmit();
  answered.resolve();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies).toEqual([{ username: 'Asha M' }]);
});

test.each([
  ['Change name', 'Change name'],
  ['Confirm the email', 'Your email'],
  ['Change password', 'Change password'],
  ['Log out everywhere else', 'Log out everywhere else'],
  ['Download my data', 'Download my data'],
  ['Delete my account', 'Delete your account?'],
])('the dialog “%s” can be closed without changing anything', async (button, title) => {
  serveAccount();
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: button }));
  const dialog = within(screen.getByRole('dialog', { name: title }));
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test.each(['Change password', 'Log out everywhere else'])(
  'the dialog “%s” shows an error if its request gets no response',
  async (button) => {
    serveAccount();
    serveWrite('post', '/me/password', () => HttpResponse.error());
    serveWrite('post', '/me/sign-out-everywhere', () => HttpResponse.error());
    const { user } = await open();
    const dialog = await openDialog(user, button);
    await fillPasswords(user, dialog);
    await user.click(dialog.getByRole('button', { name: button }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('This could not be done. Check your network');
  },
);

test.each([
  ['Change password', 'Your password is changed. Everywhere else you are logged out.'],
  ['Log out everywhere else', 'You are now logged in only here.'],
])(
  'the dialog “%s” reports that all other devices are logged out, and the list of signed-in devices no longer shows them',
  async (button, sentence) => {
    const { served } = serveAccount();
    const session = () => {
      served.devices = DEVICES.filter(({ is_this }) => is_this);
      return HttpResponse.json({ access_token: 'another', token_type: 'bearer', user_id: 'a-user' });
    };
    serveWrite('post', '/me/password', session);
    serveWrite('post', '/me/sign-out-everywhere', session);
    const { user } = await open();
    await screen.findByText('Firefox, Windows', { selector: 'p' });
    const dialog = await openDialog(user, button);
    await fillPasswords(user, dialog);
    await user.click(dialog.getByRole('button', { name: button }));
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText('Firefox, Windows', { selector: 'p' })).toBeNull());
  },
);

test('a new password must be typed twice, and password managers recognise the fields', async () => {
  serveAccount();
  const { user } = await open();
  const dialog = await openDialog(user, 'Change password');
  expect(dialog.getByLabelText('Your password')).toHaveAttribute('autocomplete', 'current-password');
  expect(dialog.getByLabelText('New password')).toHaveAttribute('autocomplete', 'new-password');
  expect(dialog.getByLabelText('New password')).toHaveAccessibleDescription('At least 8 characters.');
  expect(dialog.getByText(/Everywhere else you are logged out/)).toBeInTheDocument();
  await user.type(dialog.getByLabelText('New password'), 'embe bivu tamu');
  await user.type(dialog.getByLabelText('Your password'), 'siri');
  await user.click(dialog.getByRole('button', { name: 'Change password' }));
  const confirm = dialog.getByLabelText('Confirm the new password');
  expect(confirm).toHaveAccessibleDescription('Confirm the new password');
  expect(confirm).toHaveFocus();
});

test('if the language of Patikana’s messages cannot be saved, an error appears and the previous language is selected again', async () => {
  serveAccount();
  serveWrite('patch', '/me', () => HttpResponse.error());
  const { user } = await open();
  const group = screen.getByRole('group', { name: 'Language of our messages' });
  expect(group).toHaveAccessibleDescription(/come in this language/);
  await user.click(within(group).getByRole('radio', { name: 'English' }));
  expect(await screen.findByText('This could not be done. Check your network and try again.')).toBeInTheDocument();
  expect(within(group).getByRole('radio', { name: 'Kiswahili' })).toBeChecked();
  serveWrite('patch', '/me', changed);
  await user.click(within(group).getByRole('radio', { name: 'English' }));
  expect(await screen.findByText('Saved.')).toBeInTheDocument();
  expect(within(group).getByRole('radio', { name: 'English' })).toBeChecked();
});

test('each signed-in device shows its last use and its sign-in date, and a failed sign-out shows the reason', async () => {
  const now = new Date().toISOString();
  const [here, there] = DEVICES as [(typeof DEVICES)[0], (typeof DEVICES)[0]];
  serveAccount({}, { devices: [{ ...here, last_seen_at: now }, there] });
  serveWrite('delete', '/me/devices/there', () => refuse(409, 'conflict', 'Siyo sasa.'));
  const { user } = await open();
  const rows = await screen.findByText('Chrome, Android', { selector: 'p' });
  expect(rows.closest('li')).toHaveTextContent('Used within the last hour');
  const other = screen.getByText('Firefox, Windows', { selector: 'p' }).closest('li');
  expect(other).toHaveTextContent(/Last used/);
  expect(other).toHaveTextContent('Logged in on 1 October 2026');
  await user.click(screen.getByRole('button', { name: 'Log out Firefox, Windows' }));
  expect(await screen.findByText('Siyo sasa.')).toBeInTheDocument();
  expect(other).toBeInTheDocument();
  serveWrite('delete', '/me/devices/there');
  await user.click(screen.getByRole('button', { name: 'Log out Firefox, Windows' }));
  expect(await screen.findByText('Logged out.')).toBeInTheDocument();
});

test('a visitor who opens the account screen returns there after the sign-in', async () => {
  const { user, router } = await renderScreen('/account');
  await user.click(within(await screen.findByRole('main')).getByRole('link', { name: 'Log in' }));
  expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/account' } });
});

test.each(['Change name', 'Change email', 'Change password', 'Log out everywhere else', 'Delete my account'])(
  'the browser’s Back button closes the dialog of “%s”, and the account screen stays open',
  async (button) => {
    serveAccount({ is_email_proven: true });
    const { user, router } = await open();
    await openDialog(user, button);
    await act(() => router.navigate(-1));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(router.state.location).toMatchObject({ pathname: '/account', search: '' });
  },
);

test('if the user goes back while a new name is being saved, the name is saved and the account screen stays open', async () => {
  serveAccount();
  const answered = Promise.withResolvers<void>();
  serveWrite('patch', '/me', (async (body: Partial<Me>) => {
    await answered.promise;
    return changed(body);
  }) as unknown as typeof changed);
  const { user, router } = await renderScreen('/privacy', { isSignedIn: true });
  await act(() => router.navigate('/account'));
  const dialog = await openDialog(user, 'Change name');
  await user.type(dialog.getByLabelText('Name'), ' M{Enter}');
  await act(() => router.navigate(-1));
  answered.resolve();
  expect(await screen.findByText('Asha M')).toBeInTheDocument();
  expect(await screen.findByText('Saved.')).toBeInTheDocument();
  expect(router.state.location.pathname).toBe('/account');
});

const LINK = { pathname: '/confirm-email', hash: '#the-token' };
const usedUp = () => refuse(400, 'invalid_code', 'No.');

function serveMe(isProven: boolean): void {
  server.use(http.get('*/api/me', () => HttpResponse.json({ ...ME, is_email_proven: isProven })));
}

test.each([
  ['en', 'Thank you! This email is now yours and confirmed.'],
  ['sw', 'Asante! Barua pepe hii sasa ni yako, na imethibitishwa.'],
] as const)(
  'in the language %s, the e-mail confirmation page removes the token from its URL, and a reload sends no second request',
  async (language, thanks) => {
    const bodies = serveWrite('post', '/auth/confirm-email');
    const stale = keepAnswers(queryKeys.me);
    const { router, unmount } = await renderScreen(LINK, { language });
    expect(await screen.findByText(thanks)).toBeInTheDocument();
    expect(stale()).toEqual([queryKeys.me]);
    expect(bodies).toEqual([{ token: 'the-token' }]);
    expect(router.state.location.hash).toBe('');
    unmount();
    queryClient.clear();
    await renderScreen('/confirm-email', { language });
    expect(await screen.findByText(thanks)).toBeInTheDocument();
    queryClient.clear();
    expect(bodies).toHaveLength(1);
  },
);

test('an e-mail confirmation link that is opened twice in React’s strict mode sends its token only once', async () => {
  const bodies = serveWrite('post', '/auth/confirm-email');
  await changeLanguage('en');
  const router = createMemoryRouter(routes, { initialEntries: [LINK] });
  render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
  expect(await screen.findByText(/Thank you!/)).toBeInTheDocument();
  await router.navigate(LINK);
  await waitFor(() => expect(router.state.location.hash).toBe(''));
  expect(screen.getByText(/Thank you!/)).toBeInTheDocument();
  expect(bodies).toHaveLength(1);
});

test('if an e-mail confirmation page is reloaded before the response, the page sends the same token again', async () => {
  serveWrite('post', '/auth/confirm-email', () => HttpResponse.error());
  const { unmount, router } = await renderScreen(LINK);
  await waitFor(() => expect(router.state.location.hash).toBe(''));
  unmount();
  queryClient.clear();
  const bodies = serveWrite('post', '/auth/confirm-email');
  await renderScreen('/confirm-email');
  expect(await screen.findByText(/Thank you!/)).toBeInTheDocument();
  expect(bodies).toEqual([{ token: 'the-token' }]);
});

test.each([
  ['en', /used already, or it is older than 24 hours/, 'Log in to get a new link'],
  ['sw', /kimeshatumika, au kina zaidi ya saa 24/, 'Ingia ili upate kiungo kipya'],
] as const)(
  'in the language %s, a used or expired e-mail confirmation link opens a page with the reason and a link to the login',
  async (language, over, newLink) => {
    serveWrite('post', '/auth/confirm-email', usedUp);
    await renderScreen(LINK, { language });
    expect(await screen.findByText(over)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: newLink })).toHaveAttribute('href', '/login');
  },
);

test('if the server refuses a truncated e-mail confirmation link, the page offers a new link, and no “Try again”', async () => {
  serveWrite('post', '/auth/confirm-email', () => refuse(422, 'validation_failed'));
  await renderScreen(LINK);
  expect(await screen.findByRole('link', { name: 'Log in to get a new link' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('a signed-in user with an invalid e-mail confirmation link gets a link to the screen where they can request a new e-mail', async () => {
  serveMe(false);
  serveWrite('post', '/auth/confirm-email', usedUp);
  await renderScreen(LINK, { isSignedIn: true });
  expect(await screen.findByRole('link', { name: 'Get a new link' })).toHaveAttribute('href', '/account');
});

test('a signed-in user who opens a used e-mail confirmation link sees that the e-mail address is already proven', async () => {
  serveMe(true);
  serveWrite('post', '/auth/confirm-email', usedUp);
  await renderScreen(LINK, { isSignedIn: true, language: 'sw' });
  expect(await screen.findByText(/asha@example.com imethibitishwa; huna la kufanya/)).toBeInTheDocument();
});

test('if an e-mail address cannot be confirmed at the moment, the user can try again', async () => {
  server.use(http.post('*/api/auth/confirm-email', () => refuse(415, 'unsupported_media_type'), { once: true }));
  const { user } = await renderScreen(LINK);
  expect(await screen.findByText('Your email could not be confirmed at the moment.')).toBeInTheDocument();
  serveWrite('post', '/auth/confirm-email');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(/Thank you!/)).toBeInTheDocument();
});

test('the e-mail confirmation page without a token asks the user to open the whole link, and offers a new link', async () => {
  await renderScreen('/confirm-email');
  expect(await screen.findByText('Please open the whole link from the email that we sent you.')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Log in to get a new link' })).toBeInTheDocument();
});
