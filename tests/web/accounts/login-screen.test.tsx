import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Language } from '#contract/language.ts';
import { holdTime } from '#tests/web/support/phone.ts';
import { refuse, serveList, serveNothingElse } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';

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

/** Opens the sign-in and submits it with an e-mail and a password. */
async function logIn(language: Language = 'en', state: unknown = null) {
  const view = await renderScreen({ pathname: '/login', state }, { language });
  const labels = LABELS[language];
  await view.user.type(await screen.findByLabelText(labels.email), ' asha@example.com ');
  await view.user.type(screen.getByLabelText(labels.password), 'siri yangu kubwa');
  await view.user.click(screen.getByRole('button', { name: labels.submit }));
  return view;
}

test('a sign-in sends e-mail and password as a form, stores the session token and the user’s id, and opens the home page', async () => {
  const forms = serveLogin(session);
  const { router } = await logIn();
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  expect(Object.fromEntries(forms[0] ?? [])).toEqual({ username: 'asha@example.com', password: 'siri yangu kubwa' });
  expect(localStorage.getItem('token')).toBe('T');
  expect(localStorage.getItem('userID')).toBe('U');
});

test('after the sign-in the user returns to the previous screen with its navigation state', async () => {
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
  'the sign-in never redirects to %j',
  async (from) => {
    serveLogin(session);
    const { router } = await logIn('en', { from });
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  },
);

test.each([
  ['en', 'Email and password are required.'],
  ['sw', 'Barua pepe na nenosiri vinahitajika.'],
] as const)(
  'a sign-in form submitted empty shows in the language %s which fields are required',
  async (language, sentence) => {
    const { user } = await renderScreen('/login', { language });
    await user.click(await screen.findByRole('button', { name: LABELS[language].submit }));
    expect(await screen.findByText(sentence)).toBeInTheDocument();
  },
);

test.each(['en', 'sw'] as const)(
  'in the language %s the app shows the server’s own sentence about a refused sign-in',
  async (language) => {
    serveLogin(() => refuse(401, 'invalid_credentials', 'Maneno ya seva.'));
    await logIn(language);
    expect(await screen.findByRole('alert')).toHaveTextContent('Maneno ya seva.');
  },
);

test.each([
  ['en', 'Invalid email or password'],
  ['sw', 'Barua pepe au nenosiri si sahihi'],
] as const)(
  'if the server refuses a sign-in and gives no reason, the app says in the language %s that the e-mail or password is wrong',
  async (language, sentence) => {
    serveLogin(() => refuse(401, 'invalid_credentials'));
    await logIn(language);
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
  },
);

test.each([
  ['en', 'An error occurred. Please try again later.'],
  ['sw', 'Kuna hitilafu imetokea. Tafadhali jaribu tena baadaye.'],
] as const)(
  'if the server does not respond to a sign-in, the form shows an error in the language %s and keeps the typed text',
  async (language, sentence) => {
    serveLogin(() => HttpResponse.error());
    await logIn(language);
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
    expect(screen.getByLabelText(LABELS[language].password)).toHaveValue('siri yangu kubwa');
  },
);

test.each([
  ['en', 'Invalid response from server.'],
  ['sw', 'Jibu la seva si sahihi.'],
] as const)(
  'if the response to a sign-in has no token, the app shows an error in the language %s and stores no token',
  async (language, sentence) => {
    serveLogin(() => HttpResponse.json({ token_type: 'bearer' }));
    await logIn(language);
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
    expect(localStorage.getItem('token')).toBeNull();
  },
);

test('the sign-in button is locked during the request', async () => {
  const forms = serveLogin(() => new Promise(() => undefined));
  const { user } = await logIn();
  const button = await screen.findByRole('button', { name: 'Logging in…' });
  expect(button).toHaveAttribute('aria-disabled', 'true');
  await user.keyboard('{Enter}');
  expect(forms).toHaveLength(1);
});

test('a user who navigates away during the sign-in request is signed in without a redirect', async () => {
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

test('the sign-in can show the typed password, and password managers recognise its fields', async () => {
  const { user } = await renderScreen('/login');
  const password = await screen.findByLabelText('Password');
  expect(password).toHaveAttribute('autocomplete', 'current-password');
  expect(screen.getByLabelText('Email')).toHaveAttribute('type', 'email');
  expect(screen.getByLabelText('Email')).toHaveAttribute('autocomplete', 'username');
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  expect(password).toHaveAttribute('type', 'text');
});

test('the sign-in screen has links to the registration and to the password reset', async () => {
  await renderScreen('/login');
  expect(await screen.findByRole('link', { name: 'Forgot your password?' })).toHaveAttribute(
    'href',
    '/forgot-password',
  );
  expect(screen.getByRole('link', { name: 'Create one' })).toHaveAttribute('href', '/register');
});

describe('the registration', () => {
  afterEach(() => vi.useRealTimers());

  const LABELS = {
    en: {
      username: 'Username',
      email: 'Email',
      phone: 'Phone number (WhatsApp)',
      password: 'Password',
      confirm: 'Confirm password',
      submit: 'Create account',
    },
    sw: {
      username: 'Jina la mtumiaji',
      email: 'Barua pepe',
      phone: 'Namba ya simu (WhatsApp)',
      password: 'Nenosiri',
      confirm: 'Rudia nenosiri',
      submit: 'Fungua akaunti',
    },
  } satisfies Record<Language, Record<string, string>>;
  type Field = Exclude<keyof (typeof LABELS)['en'], 'submit'>;

  const RIGHT: Record<Field, string> = {
    username: 'Asha',
    email: 'asha@example.com',
    phone: '0712345678',
    password: 'tumaini la kesho',
    confirm: 'tumaini la kesho',
  };

  function serveUsers(
    answer: () => Response | Promise<Response> = () => HttpResponse.json({ id: 'U' }, { status: 201 }),
  ) {
    const sent: unknown[] = [];
    server.use(
      http.post('*/api/users', async ({ request }) => {
        sent.push(await request.json());
        return answer() as never;
      }),
    );
    return sent;
  }

  async function open(language: Language = 'en') {
    const view = await renderScreen('/register', { language });
    const field = (name: Field) => screen.getByLabelText(LABELS[language][name]);
    await screen.findByLabelText(LABELS[language].username);
    const submit = () => view.user.click(screen.getByRole('button', { name: LABELS[language].submit }));
    async function fill(overrides: Partial<Record<Field, string>> = {}) {
      for (const [name, text] of Object.entries({ ...RIGHT, ...overrides }))
        if (text) await view.user.type(field(name as Field), text);
    }
    return { ...view, field, submit, fill };
  }

  test.each([
    [
      'en',
      [
        'Username is required',
        'Email is required',
        'Phone number is required',
        'Password is required',
        'Confirm your password',
      ],
    ],
    [
      'sw',
      [
        'Jina la mtumiaji linahitajika',
        'Barua pepe inahitajika',
        'Namba ya simu inahitajika',
        'Nenosiri linahitajika',
        'Rudia nenosiri lako',
      ],
    ],
  ] as const)('shows an error in the language %s at every empty field', async (language, sentences) => {
    const sent = serveUsers();
    const { submit, field } = await open(language);
    await submit();
    for (const sentence of sentences) expect(screen.getByText(sentence)).toBeInTheDocument();
    expect(field('username')).toHaveFocus();
    expect(sent).toEqual([]);
  });

  test.each<[Field, string, string, string]>([
    ['phone', '12', 'Invalid phone number', 'Namba ya simu si sahihi'],
    ['phone', '07abc', 'Invalid phone number', 'Namba ya simu si sahihi'],
    ['email', 'asha', 'Invalid email address', 'Barua pepe si sahihi'],
    ['password', 'fupi', 'Password must be at least 8 characters long.', 'Nenosiri liwe na herufi zisizopungua 8.'],
    ['confirm', 'tofauti kabisa', 'Passwords do not match', 'Manenosiri hayafanani'],
  ])('shows an error at an invalid field, in both languages (field: %s, value: %j)', async (name, text, en, sw) => {
    const sent = serveUsers();
    for (const [language, sentence] of [
      ['en', en],
      ['sw', sw],
    ] as const) {
      const { submit, field, fill, unmount } = await open(language);
      await fill(name === 'password' ? { password: text, confirm: text } : { [name]: text });
      await submit();
      expect(field(name)).toHaveAccessibleDescription(expect.stringContaining(sentence));
      expect(field(name)).toHaveFocus();
      unmount();
    }
    expect(sent).toEqual([]);
  });

  test('shows the format of the phone number as a hint', async () => {
    const { field } = await open();
    expect(field('phone')).toHaveAccessibleDescription('+255XXXXXXXXX or 0XXXXXXXXX');
  });

  test.each([
    ['en', 'Your account is ready. You can log in now.'],
    ['sw', 'Akaunti yako iko tayari. Sasa unaweza kuingia.'],
  ] as const)(
    'shows a success message in the language %s for three seconds, then opens the sign-in',
    async (language, sentence) => {
      const sent = serveUsers();
      const { submit, fill, router } = await open(language);
      await fill();
      holdTime();
      // Starts to wait for the message before the press: on a slow machine, the press may take as long as the three
      // seconds for which the message is visible.
      const told = screen.findByText(sentence);
      await submit();
      await told;
      expect(sent).toEqual([
        {
          username: 'Asha',
          email: 'asha@example.com',
          whatsapp_number: '+255712345678',
          password: 'tumaini la kesho',
        },
      ]);
      await act(() => vi.advanceTimersByTimeAsync(2_000));
      expect(router.state.location.pathname).toBe('/register');
      await act(() => vi.advanceTimersByTimeAsync(1_100));
      expect(router.state.location.pathname).toBe('/login');
      expect(screen.getByLabelText(LABELS[language].email)).toHaveValue('asha@example.com');
      // The sign-in replaces the form in the history, so that "Back" does not lead to an empty form.
      expect(router.state.historyAction).toBe('REPLACE');
    },
  );

  test('remembers the screen that the visitor came from, so that the new user returns there after the sign-in', async () => {
    serveUsers();
    const state = { from: '/my-posts', fromState: null };
    const view = await renderScreen({ pathname: '/register', state });
    holdTime();
    for (const [name, text] of Object.entries(RIGHT))
      await view.user.type(screen.getByLabelText(LABELS.en[name as Field]), text);
    await view.user.click(screen.getByRole('button', { name: LABELS.en.submit }));
    await screen.findByText('Your account is ready. You can log in now.');
    await act(() => vi.advanceTimersByTimeAsync(3_100));
    expect(view.router.state.location).toMatchObject({ pathname: '/login', state: { ...state, email: RIGHT.email } });
  });

  test.each([
    ['en', 'Registration failed. Please try again.'],
    ['sw', 'Kufungua akaunti kumeshindikana. Tafadhali jaribu tena.'],
  ] as const)(
    'shows an error in the language %s and keeps the input if the server does not respond',
    async (language, sentence) => {
      serveUsers(() => HttpResponse.error());
      const { submit, fill, field } = await open(language);
      await fill();
      await submit();
      expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
      expect(field('username')).toHaveValue('Asha');
    },
  );

  test('shows the server’s error directly before the button “Create account”, because the top of the form is out of sight', async () => {
    serveUsers(() => refuse(409, 'email_taken', 'An account with this email already exists.'));
    const { fill, submit } = await open();
    await fill();
    await submit();
    const refusal = await screen.findByRole('alert');
    expect(refusal.nextElementSibling).toBe(screen.getByRole('button', { name: 'Create account' }));
  });

  test('shows the server’s error in an alert, or at the field that the error is about', async () => {
    serveUsers(() => refuse(409, 'email_taken', 'An account with this email already exists.'));
    const first = await open();
    await first.fill();
    await first.submit();
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Registration failed. Please try again. An account with this email already exists.',
    );
    first.unmount();
    const message = 'This password is too common and easy to guess. Please choose another.';
    serveUsers(() => refuse(422, 'validation_failed', message, [{ field: 'password', message }]));
    const second = await open();
    await second.fill();
    await second.submit();
    await waitFor(() => expect(second.field('password')).toHaveAccessibleDescription(expect.stringContaining(message)));
    expect(second.field('password')).toHaveFocus();
  });

  test('locks the button “Create account” after creating the account, so that a second press sends nothing', async () => {
    const sent = serveUsers();
    const { user, submit, fill } = await open();
    await fill();
    await submit();
    await screen.findByText('Your account is ready. You can log in now.');
    const button = screen.getByRole('button', { name: 'Create account' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    await user.click(button);
    expect(sent).toHaveLength(1);
  });
});
