import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Me } from '#contract/accounts.ts';
import type { Language } from '#contract/language.ts';
import { getSession } from '#web/lib/session.ts';
import { DEVICES, ME, serveAccount, serveWrite } from './support/account.ts';
import { refuse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

async function open(language: Language = 'en') {
  const view = await renderScreen('/account', { language, isSignedIn: true });
  await screen.findByRole('heading', { name: language === 'en' ? 'About you' : 'Kuhusu wewe' });
  return view;
}

/** Opens the dialog of a button and types what its fields are labelled with. */
async function fill(user: Awaited<ReturnType<typeof open>>['user'], button: string, typed: Record<string, string>) {
  await user.click(await screen.findByRole('button', { name: button }));
  const dialog = within(await screen.findByRole('dialog'));
  for (const [label, text] of Object.entries(typed)) {
    await user.clear(dialog.getByLabelText(label));
    await user.type(dialog.getByLabelText(label), text);
  }
  return dialog;
}

const session = () => HttpResponse.json({ access_token: 'another-token', token_type: 'bearer', user_id: 'a-user' });

test('while loading there is a skeleton; a failure says so and can be retried', async () => {
  serveAccount();
  server.use(http.get('*/api/me', () => refuse(400, 'malformed_request'), { once: true }));
  server.use(http.get('*/api/me/devices', () => refuse(400, 'malformed_request'), { once: true }));
  const { user, container } = await renderScreen('/account', { isSignedIn: true });
  expect(container.querySelector('[aria-busy=true]')).not.toBeNull();
  expect(await screen.findByText('Your account could not be loaded.')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Asha')).toBeInTheDocument();
  expect(await screen.findByText('The list of your phones and computers could not be loaded.')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Firefox, Windows', { selector: 'p' })).toBeInTheDocument();
});

test.each([
  ['en', 'Confirmed', 'Not confirmed yet', 'Log in to see your account.'],
  ['sw', 'Imethibitishwa', 'Bado haijathibitishwa', 'Ingia ili kuona akaunti yako.'],
] as const)(
  'in %s e-mail and number each say whether they are proven; a visitor is asked to log in',
  async (language, proven, notProven, login) => {
    serveAccount();
    const { unmount } = await open(language);
    expect(screen.getByText('asha@example.com').parentElement).toHaveTextContent(notProven);
    expect(screen.getByText('+255712345678').parentElement).toHaveTextContent(proven);
    unmount();
    localStorage.clear();
    window.dispatchEvent(new StorageEvent('storage', { key: null }));
    await renderScreen('/account', { language });
    expect(await screen.findByText(login)).toBeInTheDocument();
  },
);

test('where no e-mails are sent, nothing speaks of proving one; an account without a number adds one', async () => {
  serveAccount({ is_email_available: false, whatsapp_number: null, is_whatsapp_verified: false });
  await open();
  expect(screen.queryByText('Not confirmed yet')).toBeNull();
  expect(screen.queryByRole('button', { name: /Confirm the email|Change email/ })).toBeNull();
  expect(screen.getByRole('link', { name: 'Add a number' })).toHaveAttribute('href', '/prove-number');
});

test('two presses change the name once', async () => {
  serveAccount();
  const bodies = serveWrite('patch', '/me', (body: Partial<Me>) => HttpResponse.json({ ...ME, ...body }));
  const { user } = await open();
  const dialog = await fill(user, 'Change name', { Name: 'Asha wa Moshi' });
  await user.dblClick(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Asha wa Moshi')).toBeInTheDocument();
  expect(bodies).toEqual([{ username: 'Asha wa Moshi' }]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the language of what is sent is chosen without touching that of the app', async () => {
  serveAccount();
  const bodies = serveWrite('patch', '/me', (body: Partial<Me>) => HttpResponse.json({ ...ME, ...body }));
  const { user } = await open();
  expect(screen.getByRole('radio', { name: 'Kiswahili' })).toBeChecked();
  await user.click(screen.getByRole('radio', { name: 'English' }));
  expect(screen.getByRole('radio', { name: 'English' })).toBeChecked();
  await waitFor(() => expect(bodies).toEqual([{ language: 'en' }]));
  expect(screen.getByRole('heading', { name: 'About you' })).toBeInTheDocument();
});

test.each([
  ['en', 'Confirm the email', 'Your password', 'Send me the link', /We have sent a link to asha@example.com/],
  ['sw', 'Thibitisha barua pepe', 'Nenosiri lako', 'Nitumie kiungo', /Tumetuma kiungo kwa asha@example.com/],
] as const)(
  'in %s a link is asked for with the password; a wrong one is said',
  async (language, prove, password, send, sent) => {
    serveAccount();
    const bodies = serveWrite('post', '/me/email', ({ current_password }: { current_password: string }) =>
      current_password === 'sahihi' ? HttpResponse.json({ success: true }) : refuse(403, 'wrong_password', 'Not it.'),
    );
    const { user } = await open(language);
    const dialog = await fill(user, prove, { [password]: 'kosa' });
    await user.click(dialog.getByRole('button', { name: send }));
    expect(await dialog.findByText('Not it.')).toBeInTheDocument();
    await user.clear(dialog.getByLabelText(password));
    await user.type(dialog.getByLabelText(password), 'sahihi');
    await user.dblClick(dialog.getByRole('button', { name: send }));
    expect(await screen.findByText(sent)).toBeInTheDocument();
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toEqual({ email: 'asha@example.com', current_password: 'sahihi' });
  },
);

test.each([
  ['en', 'This one', 'Log out Firefox, Windows'],
  ['sw', 'Hapa ulipo', 'Ondoa Firefox, Windows'],
] as const)(
  'in %s another place is signed out, once for two presses; the one at hand is only named',
  async (language, here, end) => {
    const { served } = serveAccount();
    const ended = serveWrite('delete', '/me/devices/there', () => {
      served.devices = DEVICES.filter(({ is_this }) => is_this);
      return new HttpResponse(null, { status: 204 });
    });
    const { user } = await open(language);
    const item = (await screen.findByText('Chrome, Android')).closest('li') as HTMLElement;
    expect(item).toHaveTextContent(here);
    expect(within(item).queryByRole('button')).toBeNull();
    await user.dblClick(screen.getByRole('button', { name: end }));
    await waitFor(() => expect(screen.queryByText('Firefox, Windows', { selector: 'p' })).toBeNull());
    expect(ended).toHaveLength(1);
    expect(
      screen.getByRole('heading', { name: language === 'en' ? 'Where you are logged in' : 'Ulikoingia' }),
    ).toHaveFocus();
  },
);

test('a device that is already signed out disappears without an error; an unknown browser has a name too', async () => {
  const { served } = serveAccount({}, { devices: [{ ...DEVICES[1], name: '' } as (typeof DEVICES)[0]] });
  serveWrite('delete', '/me/devices/there', () => {
    served.devices = [];
    return refuse(404, 'not_found');
  });
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Log out Unknown browser' }));
  expect(await screen.findByText('No phone or computer is listed.')).toBeInTheDocument();
});

test('the password is changed, and this phone goes on with the new token', async () => {
  serveAccount();
  const bodies = serveWrite('post', '/me/password', session);
  const { user } = await open();
  const dialog = await fill(user, 'Change password', {
    'Your password': 'tumaini la jana',
    'New password': 'embe bivu tamu',
    'Confirm the new password': 'embe bivu',
  });
  const save = dialog.getByRole('button', { name: 'Change password' });
  await user.click(save);
  expect(dialog.getByText('Passwords do not match')).toBeInTheDocument();
  await user.type(dialog.getByLabelText('Confirm the new password'), ' tamu');
  await user.dblClick(save);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies).toEqual([{ current_password: 'tumaini la jana', new_password: 'embe bivu tamu' }]);
  expect(getSession()).toEqual({ token: 'another-token', userId: 'a-user' });
});

test('all other devices are signed out, and this phone goes on with the new token', async () => {
  serveAccount();
  const asked = serveWrite('post', '/me/sign-out-everywhere', session);
  const { user } = await open('sw');
  const dialog = await fill(user, 'Ondoka kwingine kote', {});
  expect(dialog.getByText(/Utabaki umeingia hapa/)).toBeInTheDocument();
  await user.dblClick(dialog.getByRole('button', { name: 'Ondoka kwingine kote' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked).toHaveLength(1);
  expect(getSession()?.token).toBe('another-token');
});

test('the data is saved as a file; beyond the daily limit it says so', async () => {
  serveAccount();
  const saved: Blob[] = [];
  URL.createObjectURL = vi.fn((blob: Blob) => `blob:${saved.push(blob)}`);
  const pressed = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  onTestFinished(() => {
    pressed.mockRestore();
    Reflect.deleteProperty(URL, 'createObjectURL');
  });
  const bodies = serveWrite('post', '/me/export', () => HttpResponse.json({ me: { username: 'Asha' } }));
  const { user } = await open();
  const dialog = await fill(user, 'Download my data', { 'Your password': 'tumaini' });
  await user.dblClick(dialog.getByRole('button', { name: 'Download my data' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies).toEqual([{ current_password: 'tumaini' }]);
  expect(JSON.parse((await saved[0]?.text()) ?? '')).toEqual({ me: { username: 'Asha' } });
  expect(pressed).toHaveBeenCalledOnce();

  serveWrite('post', '/me/export', () => refuse(429, 'too_many_requests', 'Three a day.'));
  const again = await fill(user, 'Download my data', { 'Your password': 'tumaini' });
  await user.click(again.getByRole('button', { name: 'Download my data' }));
  expect(await again.findByText('Three a day.')).toBeInTheDocument();
  expect(saved).toHaveLength(1);
});

test.each([
  [
    'en',
    'Delete my account',
    'Your password',
    'Delete for good',
    [/Deleted for good/, /What stays/, /Who is notified/, /erased after 30 days/],
  ],
  [
    'sw',
    'Futa akaunti yangu',
    'Nenosiri lako',
    'Futa kabisa',
    [/Vitakavyofutika/, /Vitakavyobaki/, /Watakaojulishwa/, /baada ya siku 30/],
  ],
] as const)(
  'in %s the account is deleted with the password, and nothing of it stays on the phone',
  async (language, button, password, now, said) => {
    serveAccount();
    const bodies = serveWrite('delete', '/me', ({ current_password }: { current_password: string }) =>
      current_password === 'sahihi'
        ? new HttpResponse(null, { status: 204 })
        : refuse(403, 'wrong_password', 'Not it.'),
    );
    const { user } = await open(language);
    localStorage.setItem('draft:a-user', '{}');
    localStorage.setItem('draft:another', '{}');
    const dialog = await fill(user, button, { [password]: 'kosa' });
    for (const sentence of said) expect(dialog.getByText(sentence)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: now }));
    expect(await dialog.findByText('Not it.')).toBeInTheDocument();
    expect(getSession()).not.toBeNull();
    await user.clear(dialog.getByLabelText(password));
    await user.type(dialog.getByLabelText(password), 'sahihi');
    await user.dblClick(dialog.getByRole('button', { name: now }));
    await waitFor(() => expect(getSession()).toBeNull());
    expect(bodies).toHaveLength(2);
    await waitFor(() => expect(Object.keys(localStorage).filter((key) => key.includes('a-user'))).toEqual([]));
    expect(localStorage.getItem('draft:another')).toBe('{}');
  },
);

test('each unblock button names the person', async () => {
  serveAccount({}, { blocks: [{ id: 'kizuizi', name: 'Begi jekundu', created_at: '2026-11-02T09:00:00.000Z' }] });
  await open();
  expect(await screen.findByRole('button', { name: 'Unblock Begi jekundu' })).toBeInTheDocument();
});
