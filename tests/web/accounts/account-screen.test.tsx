import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Me } from '#contract/accounts.ts';
import type { Block } from '#contract/claims.ts';
import type { Language } from '#contract/language.ts';
import { DEVICES, ME, serveAccount, serveWrite } from '#tests/web/support/account.ts';
import { refuse, serveList, serveNothingElse } from '#tests/web/support/posts.ts';
import { keepAnswers, renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { queryClient } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { getSession } from '#web/api/session.ts';

async function open(language: Language = 'en') {
  const view = await renderScreen('/account', { language, isSignedIn: true });
  await screen.findByRole('heading', { name: language === 'en' ? 'About you' : 'Kuhusu wewe' });
  return view;
}

/** Opens the dialog of a button and fills in its fields. @param typed the text for each field, by the field's label. */
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

test('the account screen shows a skeleton while it loads, and a failed load can be retried', async () => {
  serveAccount();
  server.use(
    http.get('*/api/me', () => refuse(400, 'malformed_request')),
    http.get('*/api/me/devices', () => refuse(400, 'malformed_request')),
  );
  const { user, container } = await renderScreen('/account', { isSignedIn: true });
  expect(container.querySelector('[aria-busy=true]')).not.toBeNull();
  expect(await screen.findByText('Your account could not be loaded.')).toBeInTheDocument();
  server.use(http.get('*/api/me', () => HttpResponse.json(ME)));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Asha')).toBeInTheDocument();
  expect(await screen.findByText('The list of your phones and computers could not be loaded.')).toBeInTheDocument();
  serveAccount();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Firefox, Windows', { selector: 'p' })).toBeInTheDocument();
});

test.each([
  ['en', 'Confirmed', 'Not confirmed yet', 'Log in to see your account.'],
  ['sw', 'Imethibitishwa', 'Bado haijathibitishwa', 'Ingia ili uone akaunti yako.'],
] as const)(
  'in the language %s, the account screen says whether e-mail and phone number are proven; a visitor is asked to log in',
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

test('if the server cannot send e-mails, the account screen does not ask the user to prove an e-mail address', async () => {
  serveAccount({ is_email_available: false, whatsapp_number: null, is_whatsapp_verified: false });
  await open();
  expect(screen.queryByText('Not confirmed yet')).toBeNull();
  expect(screen.queryByRole('button', { name: /Confirm the email|Change email/ })).toBeNull();
  expect(screen.getByRole('link', { name: 'Add a number' })).toHaveAttribute('href', '/prove-number');
});

test('a double press on the save button sends one change of the user’s name', async () => {
  serveAccount();
  const bodies = serveWrite('patch', '/me', (body: Partial<Me>) => HttpResponse.json({ ...ME, ...body }));
  const { user } = await open();
  const dialog = await fill(user, 'Change name', { Name: 'Asha wa Moshi' });
  await user.dblClick(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Asha wa Moshi')).toBeInTheDocument();
  expect(bodies).toEqual([{ username: 'Asha wa Moshi' }]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('changing the language in which Patikana sends messages leaves the language of the app unchanged', async () => {
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
  'in the language %s, asking for the e-mail confirmation link needs the password, and a wrong password shows an error',
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
  'in the language %s, a double press on a device’s sign-out button sends one request; the current device has no button',
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

test('signing out a device that is already signed out shows no error; a device without a name is called “Unknown browser”', async () => {
  const { served } = serveAccount({}, { devices: [{ ...DEVICES[1], name: '' } as (typeof DEVICES)[0]] });
  serveWrite('delete', '/me/devices/there', () => {
    served.devices = [];
    return refuse(404, 'not_found');
  });
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Log out Unknown browser' }));
  expect(await screen.findByText('No phone or computer is listed.')).toBeInTheDocument();
});

test('after a password change, the device that made the change stays signed in with a new session token', async () => {
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

test('after the user signs out all other devices, this phone stays signed in with a new session token', async () => {
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

test('the export of the user’s data is saved as a file, and an export beyond the daily limit shows an error', async () => {
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
  'in the language %s, deleting the account needs the password, and also removes the account’s data from the phone',
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

test('each unblock button names the blocked person', async () => {
  serveAccount({}, { blocks: [{ id: 'kizuizi', name: 'Begi jekundu', created_at: '2026-11-02T09:00:00.000Z' }] });
  await open();
  expect(await screen.findByRole('button', { name: 'Unblock Begi jekundu' })).toBeInTheDocument();
});

describe('blocked people', () => {
  const BAG: Block = { id: 'bag', name: 'Begi jekundu', created_at: '2026-11-02T09:00:00.000Z' };
  const KEYS: Block = { id: 'keys', name: 'Funguo', created_at: '2026-11-03T09:00:00.000Z' };

  async function open(language: 'en' | 'sw' = 'en') {
    const view = await renderScreen('/account', { language, isSignedIn: true });
    await screen.findByText('Begi jekundu', { selector: 'p' });
    return view;
  }

  test.each([
    ['en', 'Unblock Begi jekundu', 'People you have blocked', 'Blocked on 2 November 2026', /^Unblocked\. You see/],
    ['sw', 'Ondoa kizuizi Begi jekundu', 'Watu uliowazuia', /2 Novemba 2026/, /^Kizuizi kimeondolewa/],
  ] as const)(
    'in the language %s, a double press on Unblock sends one request, shows a message and focuses the list’s heading',
    async (language, button, title, since, done) => {
      serveAccount({}, { blocks: [BAG, KEYS] });
      const ended = serveWrite('delete', '/me/blocks/bag');
      const { user } = await open(language);
      expect(screen.getByText('Begi jekundu', { selector: 'p' }).closest('li')).toHaveTextContent(since);
      serveAccount({}, { blocks: [KEYS] });
      await user.dblClick(screen.getByRole('button', { name: button }));
      expect(await screen.findByText(done)).toBeInTheDocument();
      await waitFor(() => expect(screen.queryByText('Begi jekundu', { selector: 'p' })).toBeNull());
      expect(screen.getByRole('heading', { name: title })).toHaveFocus();
      expect(screen.getByText('Funguo', { selector: 'p' })).toBeInTheDocument();
      expect(ended).toHaveLength(1);
    },
  );

  test('unblocking a person who was already unblocked on another device removes them from the list without an error', async () => {
    serveAccount({}, { blocks: [BAG] });
    serveWrite('delete', '/me/blocks/bag', () => refuse(404, 'not_found'));
    const { user } = await open();
    serveAccount();
    await user.click(screen.getByRole('button', { name: 'Unblock Begi jekundu' }));
    expect(await screen.findByText('You have not blocked anyone.')).toBeInTheDocument();
    expect(screen.queryByText('This person could not be unblocked. Please try again.')).toBeNull();
  });

  test('if unblocking a person fails, an error appears and the user can retry', async () => {
    serveAccount({}, { blocks: [BAG] });
    serveWrite('delete', '/me/blocks/bag', () => refuse(409, 'conflict'));
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'Unblock Begi jekundu' }));
    expect(await screen.findByText('This person could not be unblocked. Please try again.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Unblock Begi jekundu' })).not.toHaveAttribute('aria-disabled');
    expect(screen.queryByText('You have not blocked anyone.')).toBeNull();
  });

  test('unblocking a person invalidates the cached posts, match counts and notices', async () => {
    serveAccount({}, { blocks: [BAG] });
    serveWrite('delete', '/me/blocks/bag');
    serveNothingElse();
    const queries = serveList('/posts', []);
    const { user, router } = await open();
    await router.navigate('/view-posts');
    await waitFor(() => expect(queries).toHaveLength(1));
    await router.navigate('/account');
    const known = [queryKeys.matches.counts, queryKeys.notices];
    const stale = keepAnswers(...known);
    await user.click(await screen.findByRole('button', { name: 'Unblock Begi jekundu' }));
    await screen.findByText(/^Unblocked/);
    expect(stale()).toEqual(known);
    await router.navigate('/view-posts');
    await waitFor(() => expect(queries).toHaveLength(2));
  });

  test('a list of blocked people that fails to load shows an error, and loads after a press on “Try again”', async () => {
    serveAccount({}, { blocks: [BAG] });
    server.use(http.get('*/api/me/blocks', () => refuse(400, 'malformed_request'), { once: true }));
    const { user } = await renderScreen('/account', { isSignedIn: true });
    const failure = await screen.findByText('The people you have blocked could not be loaded.');
    expect(screen.queryByText('You have not blocked anyone.')).toBeNull();
    await user.click(within(failure.closest('[role=alert]') as HTMLElement).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('button', { name: 'Unblock Begi jekundu' })).toBeInTheDocument();
    expect(failure).not.toBeInTheDocument();
  });
});

describe('a suspended account', () => {
  test.each([
    ['en', 'Your account is suspended', /nobody else sees your open posts/, 'Reason: Matangazo ya uongo'],
    ['sw', 'Akaunti yako imesimamishwa', /hakuna mwingine anayeona matangazo yako/, 'Sababu: Matangazo ya uongo'],
  ] as const)(
    'in the language %s, a suspended person sees on every screen that they are suspended, and why',
    async (language, title, text, reason) => {
      serveAccount({ is_suspended: true, suspension_reason: 'Matangazo ya uongo' });
      await renderScreen('/notices', { language, isSignedIn: true });
      const bar = (await screen.findByText(title)).closest('[role=status]') as HTMLElement;
      expect(bar).toHaveTextContent(text);
      expect(within(bar).getByText(reason)).toHaveAttribute('dir', 'auto');
    },
  );

  test('a person whose suspension states no reason sees that they are suspended, until the suspension ends', async () => {
    serveAccount({ is_suspended: true });
    await renderScreen('/notices', { isSignedIn: true });
    expect(await screen.findByText('Your account is suspended')).toBeInTheDocument();
    expect(screen.queryByText(/^Reason/)).toBeNull();
    server.use(http.get('*/api/me', () => HttpResponse.json(ME)));
    await act(() => queryClient.refetchQueries({ queryKey: queryKeys.me }));
    await waitFor(() => expect(screen.queryByText('Your account is suspended')).toBeNull());
  });
});
