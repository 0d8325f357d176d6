import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Language } from '#contract/language.ts';
import { refuse, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const LABELS = {
  en: { email: 'Email', password: 'Password', submit: 'Log in' },
  sw: { email: 'Barua pepe', password: 'Nenosiri', submit: 'Ingia' },
} satisfies Record<Language, Record<string, string>>;

function serveLogin(answer: () => Response | Promise<Response>) {
  const forms: FormData[] = [];
  server.use(
    http.post('*/api/login', async ({ request }) => {
      forms.push(await request.formData());
      return answer() as never;
    }),
  );
  return forms;
}

const session = () => HttpResponse.json({ access_token: 'T', token_type: 'bearer', user_id: 'U' });

/** Opens the sign-in and sends it with an email and a password. */
async function logIn(language: Language = 'en', state: unknown = null) {
  const view = await renderScreen({ pathname: '/login', state }, { language });
  const labels = LABELS[language];
  await view.user.type(await screen.findByLabelText(labels.email), ' asha@example.com ');
  await view.user.type(screen.getByLabelText(labels.password), 'siri yangu kubwa');
  await view.user.click(screen.getByRole('button', { name: labels.submit }));
  return view;
}

test('signing in sends a form, stores the token and the id, and goes home', async () => {
  const forms = serveLogin(session);
  const { router } = await logIn();
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  expect(Object.fromEntries(forms[0] ?? [])).toEqual({ username: 'asha@example.com', password: 'siri yangu kubwa' });
  expect(localStorage.getItem('token')).toBe('T');
  expect(localStorage.getItem('userID')).toBe('U');
});

test('whoever was sent here goes back where they were, with what they had in mind', async () => {
  serveLogin(session);
  serveNothingElse();
  serveList('/posts', []);
  const { router } = await logIn('en', { from: '/view-posts?search=simu', fromState: { mode: 'x' } });
  await waitFor(() =>
    expect(router.state.location).toMatchObject({
      pathname: '/view-posts',
      search: '?search=simu',
      state: { mode: 'x' },
    }),
  );
});

test.each(['https://evil.example', '//evil.example', 'javascript:alert(1)', 7])(
  'nobody is sent on to %j',
  async (from) => {
    serveLogin(session);
    const { router } = await logIn('en', { from });
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  },
);

test.each([
  ['en', 'Email and password are required.'],
  ['sw', 'Barua pepe na nenosiri vinahitajika.'],
] as const)('an empty sign-in says so in %s', async (language, sentence) => {
  const { user } = await renderScreen('/login', { language });
  await user.click(await screen.findByRole('button', { name: LABELS[language].submit }));
  expect(await screen.findByText(sentence)).toBeInTheDocument();
});

test.each(['en', 'sw'] as const)('the server’s own words are shown in %s', async (language) => {
  serveLogin(() => refuse(401, 'invalid_credentials', 'Maneno ya seva.'));
  await logIn(language);
  expect(await screen.findByRole('alert')).toHaveTextContent('Maneno ya seva.');
});

test.each([
  ['en', 'Invalid email or password'],
  ['sw', 'Barua pepe au nenosiri si sahihi'],
] as const)('a refusal without words is one of the email or the password, in %s', async (language, sentence) => {
  serveLogin(() => refuse(401, 'invalid_credentials'));
  await logIn(language);
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
});

test.each([
  ['en', 'An error occurred. Please try again later.'],
  ['sw', 'Kuna hitilafu imetokea. Tafadhali jaribu tena baadaye.'],
] as const)('no answer says so in %s, and what was typed stays', async (language, sentence) => {
  serveLogin(() => HttpResponse.error());
  await logIn(language);
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
  expect(screen.getByLabelText(LABELS[language].password)).toHaveValue('siri yangu kubwa');
});

test.each([
  ['en', 'Invalid response from server.'],
  ['sw', 'Jibu la seva si sahihi.'],
] as const)('an answer without a token says so in %s, and stores nothing', async (language, sentence) => {
  serveLogin(() => HttpResponse.json({ token_type: 'bearer' }));
  await logIn(language);
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
  expect(localStorage.getItem('token')).toBeNull();
});

test('the button is locked while the server is asked', async () => {
  const forms = serveLogin(() => new Promise(() => undefined));
  const { user } = await logIn();
  const button = await screen.findByRole('button', { name: 'Logging in…' });
  expect(button).toHaveAttribute('aria-disabled', 'true');
  await user.keyboard('{Enter}');
  expect(forms).toHaveLength(1);
});

test('whoever goes elsewhere while the server is asked is signed in there', async () => {
  let answer = () => {};
  serveLogin(
    () =>
      new Promise((resolve) => {
        answer = () => resolve(session());
      }),
  );
  const { user, router } = await logIn();
  await screen.findByRole('button', { name: 'Logging in…' });
  await user.click(screen.getByRole('link', { name: 'Create one' }));
  answer();
  expect(await screen.findByRole('button', { name: 'Logout' })).toBeInTheDocument();
  expect(router.state.location.pathname).toBe('/register');
});

test('a password can be looked at, and managers know the fields', async () => {
  const { user } = await renderScreen('/login');
  const password = await screen.findByLabelText('Password');
  expect(password).toHaveAttribute('autocomplete', 'current-password');
  expect(screen.getByLabelText('Email')).toHaveAttribute('type', 'email');
  expect(screen.getByLabelText('Email')).toHaveAttribute('autocomplete', 'username');
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  expect(password).toHaveAttribute('type', 'text');
});

test('there are ways to a new account and to a new password', async () => {
  await renderScreen('/login');
  expect(await screen.findByRole('link', { name: 'Forgot your password?' })).toHaveAttribute(
    'href',
    '/forgot-password',
  );
  expect(screen.getByRole('link', { name: 'Create one' })).toHaveAttribute('href', '/register');
});
