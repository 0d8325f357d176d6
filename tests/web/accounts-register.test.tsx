import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import type { Language } from '#contract/language.ts';
import { refuse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

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
] as const)('every field is required, and says so in %s', async (language, sentences) => {
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
])('a wrong %s like %j is told of beside its field, in both languages', async (name, text, en, sw) => {
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

test('the format of the number is hinted at', async () => {
  const { field } = await open();
  expect(field('phone')).toHaveAccessibleDescription('+255XXXXXXXXX or 0XXXXXXXXX');
});

test.each([
  ['en', 'Your account is ready. You can log in now.'],
  ['sw', 'Akaunti yako iko tayari. Sasa unaweza kuingia.'],
] as const)('success is told in %s for three seconds, and then comes the sign-in', async (language, sentence) => {
  const sent = serveUsers();
  const { submit, fill, router } = await open(language);
  await fill();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  await submit();
  expect(await screen.findByText(sentence)).toBeInTheDocument();
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
  // Back leads to what was before the form, which would be empty.
  expect(router.state.historyAction).toBe('REPLACE');
});

test('after the sign-in whoever registered on the way goes on to where they were going', async () => {
  serveUsers();
  const state = { from: '/my-posts', fromState: null };
  const view = await renderScreen({ pathname: '/register', state });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
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
] as const)('a failure without words says so in %s, and what was typed stays', async (language, sentence) => {
  serveUsers(() => HttpResponse.error());
  const { submit, fill, field } = await open(language);
  await fill();
  await submit();
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
  expect(field('username')).toHaveValue('Asha');
});

test('a refusal appears beside the button, as the top of the form is out of sight', async () => {
  serveUsers(() => refuse(409, 'email_taken', 'An account with this email already exists.'));
  const { fill, submit } = await open();
  await fill();
  await submit();
  const refusal = await screen.findByRole('alert');
  expect(refusal.nextElementSibling).toBe(screen.getByRole('button', { name: 'Create account' }));
});

test('the server’s own words are shown, those about a field beside it', async () => {
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

test('the button is locked while the server is asked, and until the sign-in comes', async () => {
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
