import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import type { Me } from '#contract/accounts.ts';
import { DEVICES, ME, serveAccount, serveWrite } from './support/account.ts';
import { refuse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';

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

/** Types the same into each password field that the dialog has. */
async function fillPasswords(user: User, dialog: Dialog) {
  for (const label of ['Your password', 'New password', 'Confirm the new password'])
    for (const field of dialog.queryAllByLabelText(label)) await user.type(field, 'embe bivu tamu');
}

const changed = (body: Partial<Me>) => HttpResponse.json({ ...ME, ...body });

test.each([
  [{ is_email_proven: true }, 'Change email', 'Change number'],
  [{ is_whatsapp_verified: false }, 'Confirm the email', 'Confirm the number'],
] as const)('with %j there are the ways %s and %s', async (me, email, number) => {
  serveAccount(me);
  const { user, router } = await open();
  expect(screen.getByRole('button', { name: email })).toBeInTheDocument();
  await user.click(screen.getByRole('link', { name: number }));
  expect(router.state.location).toMatchObject({ pathname: '/prove-number', state: { from: '/account' } });
});

test('an account without a number says that it has none, and not that it is unproven', async () => {
  serveAccount({ whatsapp_number: null, is_whatsapp_verified: false, is_email_proven: true });
  await open();
  expect(screen.getByText('None').parentElement).toHaveTextContent(/^WhatsApp numberNone$/);
  expect(screen.getByText('asha@example.com').parentElement).toHaveTextContent('Confirmed');
});

test('another e-mail is typed from the beginning, sent as it is meant, and said; then the dialog is closed', async () => {
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
  // What comes into the page together with its text is not read out.
  expect(places).toContain(said.closest('[role=status]'));
  expect(bodies).toEqual([{ email: 'asha@mpya.example', current_password: 'tumaini' }]);
  await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a name that is refused stands beside its field with why; one that is saved is said', async () => {
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

test('what is sent already is not sent again by Enter, and says so on its button', async () => {
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
])('%s can be left without anything being done', async (button, title) => {
  serveAccount();
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: button }));
  const dialog = within(screen.getByRole('dialog', { name: title }));
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test.each(['Change password', 'Log out everywhere else'])(
  '%s without an answer says so in its dialog',
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
])('%s says what it did, and the list of devices is as it is then', async (button, sentence) => {
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
});

test('a new password is asked for twice, and managers know which is which', async () => {
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

test('a language that could not be saved says so, and the one of before is chosen again', async () => {
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

test('where the reader was last, since when, and why one could not be logged out', async () => {
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

test('a visitor who logs in for their account comes back to it', async () => {
  const { user, router } = await renderScreen('/account');
  await user.click(within(await screen.findByRole('main')).getByRole('link', { name: 'Login' }));
  expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/account' } });
});

test.each(['Change name', 'Change email', 'Change password', 'Log out everywhere else', 'Delete my account'])(
  'Back closes the dialog of "%s", and leads no further',
  async (button) => {
    serveAccount({ is_email_proven: true });
    const { user, router } = await open();
    await openDialog(user, button);
    await act(() => router.navigate(-1));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(router.state.location).toMatchObject({ pathname: '/account', search: '' });
  },
);

test('what is saved after Back has closed its dialog leads nowhere', async () => {
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
