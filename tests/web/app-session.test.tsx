import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { App } from '#web/app/app.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';
import { expireSession, signInAs, signOut, TOKEN_SINCE_KEY } from '#web/lib/session.ts';
import { ME } from './support/account.ts';
import { server } from './support/setup.ts';
import { startUser } from './support/user.ts';

const ASHA = { token: 'a-token', userId: 'a-user' };

// Loaded late, which on a busy machine takes longer than a test waits.
beforeAll(() =>
  Promise.all([
    import('#web/notices/live-notices.tsx'),
    import('#web/accounts/number-bar.tsx'),
    import('#web/app/errands.tsx'),
    import('#web/offline/offline-bars.tsx'),
  ]),
);
beforeEach(() => changeLanguage('en'));
afterEach(() => window.history.replaceState(null, '', '/'));

/** Opens the app at an address, as somebody who came there with that in mind. */
async function open(address: string, state: unknown = null) {
  window.history.replaceState({ usr: state, key: 'here', idx: 0 }, '', address);
  signInAs(ASHA);
  render(<App />);
  await screen.findByRole('main');
}

const here = () => window.location.pathname + window.location.search;
const stateHere = () => (window.history.state as { usr: unknown }).usr;

async function logIn() {
  server.use(
    http.post('*/api/login', () =>
      HttpResponse.json({ access_token: 'new-token', token_type: 'bearer', user_id: 'a-user' }),
    ),
  );
  const user = startUser();
  await user.type(await screen.findByLabelText('Email'), 'asha@example.com');
  await user.type(screen.getByLabelText('Password'), 'siri yangu kubwa');
  await user.click(screen.getByRole('button', { name: 'Log in' }));
}

test('whoever signs out is led to the sign-in, and not back', async () => {
  await open('/privacy?size=large', { of: 'before' });
  act(signOut);
  expect(await screen.findByLabelText('Email')).toBeInTheDocument();
  expect(here()).toBe('/login');
  expect(stateHere()).toBeNull();
  await logIn();
  await waitFor(() => expect(here()).toBe('/'));
});

test('whose session has ended is led to the sign-in and then back, with what they had in mind', async () => {
  await open('/privacy');
  window.history.pushState({ usr: { of: 'before' }, key: 'there', idx: 1 }, '', '/terms?size=large');
  act(() => void fireEvent(window, new PopStateEvent('popstate')));
  await act(() => expireSession('a-token'));
  expect(await screen.findByLabelText('Email')).toBeInTheDocument();
  expect(here()).toBe('/login');
  await logIn();
  await waitFor(() => expect(here()).toBe('/terms?size=large'));
  expect(stateHere()).toEqual({ of: 'before' });
});

test('a session that ends at the sign-in changes nothing of where its reader goes then', async () => {
  await open('/login', { from: '/privacy' });
  await act(() => expireSession('a-token'));
  expect(stateHere()).toEqual({ from: '/privacy' });
  await logIn();
  await waitFor(() => expect(here()).toBe('/privacy'));
});

test('a renewed token and a sign-in in another tab leave the reader where they are', async () => {
  await open('/privacy');
  localStorage.setItem('token', 'newer-token');
  act(() => void fireEvent(window, new StorageEvent('storage', { key: 'token' })));
  localStorage.setItem('token', 'other-token');
  localStorage.setItem('userID', 'other-user');
  act(() => void fireEvent(window, new StorageEvent('storage', { key: 'userID' })));
  expect(here()).toBe('/privacy');
});

test('whoever is signed in is connected, asked for their number, and goes on with a newer token', async () => {
  const asked = { tickets: 0, tokens: 0 };
  server.use(
    http.get('*/api/me', () => HttpResponse.json({ ...ME, is_whatsapp_verified: false })),
    http.post('*/api/realtime/ticket', () => {
      asked.tickets++;
      return new Promise<never>(() => undefined);
    }),
    http.post('*/api/me/token', () => {
      asked.tokens++;
      return HttpResponse.json({ access_token: 'newer-token' });
    }),
  );
  window.history.replaceState(null, '', '/privacy');
  signInAs(ASHA);
  localStorage.setItem(TOKEN_SINCE_KEY, '0');
  render(<App />);
  expect(await screen.findByText(/really your number\?/)).toBeInTheDocument();
  await waitFor(() => expect(asked).toEqual({ tickets: 1, tokens: 1 }));
  await waitFor(() => expect(localStorage.getItem('token')).toBe('newer-token'));
});

test('the bars at the foot of the screen come after the screen, for a visitor too', async () => {
  window.history.replaceState(null, '', '/privacy');
  render(<App />);
  expect(screen.queryByRole('status')).toBeNull();
  expect(await screen.findByRole('status')).toBeInTheDocument();
});
