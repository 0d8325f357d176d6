import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import type { Language } from '#contract/language.ts';
import type { NumberProof } from '#contract/recovery.ts';
import { refuse } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';

const NUMBER = '+255712345678';
const WA_LINK = 'https://wa.me/255700000100?text=Patikana';
const WAITING: NumberProof = { status: 'waiting', proof: null };
const PROVEN: NumberProof = { status: 'proven', proof: 'a-proof' };

const TEXTS = {
  en: {
    number: 'Phone number (WhatsApp)',
    byMessage: 'Send us a WhatsApp message',
    open: 'Open WhatsApp',
    waiting: 'We are waiting for your message…',
    other: `The message came from another number. Please send it from ${NUMBER}.`,
    hidden: /does not show us the number/,
    expired: 'The time for this message is over. Please start again.',
    proven: `Thank you! We have your message from ${NUMBER}.`,
    unreachable: /cannot reach the service/,
    again: 'Start again',
    cancel: 'Cancel',
    byCode: 'Get a verification code instead',
  },
  sw: {
    number: 'Namba ya simu (WhatsApp)',
    byMessage: 'Tutumie ujumbe wa WhatsApp',
    open: 'Fungua WhatsApp',
    waiting: 'Tunasubiri ujumbe wako…',
    other: `Ujumbe umetoka kwenye namba nyingine. Tafadhali utume kutoka ${NUMBER}.`,
    hidden: /haituonyeshi namba iliyotuma/,
    expired: 'Muda wa ujumbe huu umeisha. Tafadhali anza tena.',
    proven: `Asante! Tumepokea ujumbe wako kutoka ${NUMBER}.`,
    unreachable: /hatuwezi kuifikia huduma/,
    again: 'Anza tena',
    cancel: 'Ghairi',
    byCode: 'Pata namba ya uthibitisho badala yake',
  },
} satisfies Record<Language, Record<string, string | RegExp>>;

const ME = { id: 'a-user', username: 'Asha', whatsapp_number: NUMBER, is_whatsapp_verified: false };

/** Answers the app's polls for the state of a proof in this order. All later polls get the last answer. */
function serveProof(...answers: (NumberProof | 'no network')[]) {
  const calls = { started: [] as unknown[], polled: [] as (string | null)[] };
  server.use(
    http.post('*/api/auth/number-proofs', async ({ request }) => {
      const id = `p${calls.started.push(await request.json())}`;
      const expires_at = new Date(Date.now() + 600_000).toISOString();
      return HttpResponse.json({ id, secret: 's1', url: WA_LINK, expires_at }, { status: 201 });
    }),
    http.get('*/api/auth/number-proofs/:id', ({ request }) => {
      const answer = answers[Math.min(calls.polled.length, answers.length - 1)];
      calls.polled.push(request.headers.get('X-Proof-Secret'));
      return answer === 'no network' ? HttpResponse.error() : HttpResponse.json(answer);
    }),
  );
  return calls;
}

function serveMe(me: Partial<typeof ME> | { whatsapp_number: null } = {}) {
  server.use(http.get('*/api/me', () => HttpResponse.json({ ...ME, ...me })));
}

afterEach(() => vi.useRealTimers());

async function openRegister(language: Language = 'en') {
  const view = await renderScreen('/register', { language });
  await view.user.type(await screen.findByLabelText(TEXTS[language].number), '0712 345 678');
  return view;
}

async function pollOnce() {
  await act(() => vi.advanceTimersByTimeAsync(3_100));
}

test.each(['en', 'sw'] as const)(
  'in the language %s, the registration form shows whether a proof by WhatsApp message waits, has a problem or has succeeded',
  async (language) => {
    const texts = TEXTS[language];
    const calls = serveProof(
      WAITING,
      { status: 'other_number', proof: null },
      { status: 'number_hidden', proof: null },
      'no network',
      PROVEN,
    );
    const { user } = await openRegister(language);
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
      shouldAdvanceTime: true,
    });
    await user.click(screen.getByRole('button', { name: texts.byMessage }));
    expect(await screen.findByRole('link', { name: texts.open })).toHaveAttribute('href', WA_LINK);
    expect(screen.getByText(texts.waiting)).toBeInTheDocument();
    await waitFor(() => expect(calls.polled).toHaveLength(1));
    await pollOnce();
    expect(await screen.findByText(texts.other)).toBeInTheDocument();
    await pollOnce();
    expect(await screen.findByText(texts.hidden)).toBeInTheDocument();
    await pollOnce();
    expect(await screen.findByText(texts.unreachable)).toBeInTheDocument();
    await pollOnce();
    expect(await screen.findByText(texts.proven)).toBeInTheDocument();
    const polls = calls.polled.length;
    await pollOnce();
    expect(calls.polled).toEqual(Array(polls).fill('s1'));
    expect(calls.started).toEqual([{ whatsapp_number: NUMBER }]);
  },
);

test.each(['en', 'sw'] as const)(
  'in the language %s, a user whose proof by WhatsApp message has expired can start the proof again',
  async (language) => {
    const texts = TEXTS[language];
    const calls = serveProof({ status: 'expired', proof: null }, WAITING);
    const { user } = await openRegister(language);
    await user.click(screen.getByRole('button', { name: texts.byMessage }));
    expect(await screen.findByText(texts.expired)).toBeInTheDocument();
    await user.dblClick(screen.getByRole('button', { name: texts.again }));
    await waitFor(() => expect(calls.started).toHaveLength(2));
  },
);

test('after cancelling a proof by WhatsApp message, the user can choose again how to prove the phone number', async () => {
  serveProof(WAITING);
  const { user } = await openRegister();
  await user.click(screen.getByRole('button', { name: TEXTS.en.byMessage }));
  await user.click(await screen.findByRole('button', { name: TEXTS.en.cancel }));
  expect(screen.getByRole('button', { name: TEXTS.en.byMessage })).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: TEXTS.en.open })).toBeNull();
  await user.click(screen.getByRole('button', { name: TEXTS.en.byCode }));
  expect(screen.getByRole('button', { name: 'Send me a verification code' })).toBeInTheDocument();
});

test('an invalid phone number shows an error, and no request is sent', async () => {
  const calls = serveProof(WAITING);
  const { user } = await renderScreen('/register');
  await user.click(await screen.findByRole('button', { name: TEXTS.en.byMessage }));
  expect(screen.getByRole('alert')).toHaveTextContent('Phone number is required');
  await user.type(screen.getByLabelText(TEXTS.en.number), '12');
  expect(screen.getByRole('alert')).toHaveTextContent('Invalid phone number');
  expect(calls.started).toEqual([]);
});

test('if the server cannot receive WhatsApp messages, the user is offered a verification code to prove the phone number', async () => {
  const sentence = 'Numbers cannot be confirmed by a message at the moment.';
  server.use(http.post('*/api/auth/number-proofs', () => refuse(404, 'proof_unavailable', sentence)));
  const { user } = await openRegister();
  await user.click(screen.getByRole('button', { name: TEXTS.en.byMessage }));
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
  expect(screen.getByRole('button', { name: TEXTS.en.byCode })).toBeInTheDocument();
});

async function fillRegister(user: Awaited<ReturnType<typeof renderScreen>>['user']) {
  await user.type(screen.getByLabelText('Username'), 'Asha');
  await user.type(screen.getByLabelText('Email'), 'asha@example.com');
  await user.type(screen.getByLabelText('Password'), 'tumaini la kesho');
  await user.type(screen.getByLabelText('Confirm password'), 'tumaini la kesho');
}

function serveUsers(answer = () => HttpResponse.json({ id: 'U' }, { status: 201 })) {
  const sent: unknown[] = [];
  server.use(
    http.post('*/api/users', async ({ request }) => {
      sent.push(await request.json());
      return answer() as never;
    }),
  );
  return sent;
}

test('the registration request contains the proof of the phone number, unless the number was changed after the proof', async () => {
  serveProof(PROVEN);
  const sent = serveUsers(() => refuse(409, 'email_taken', 'An account with this email already exists.') as never);
  const { user } = await openRegister();
  await user.click(screen.getByRole('button', { name: TEXTS.en.byMessage }));
  await screen.findByText(TEXTS.en.proven);
  await fillRegister(user);
  await user.click(screen.getByRole('button', { name: 'Create account' }));
  await screen.findByText(/An account with this email already exists\.$/);
  await user.type(screen.getByLabelText(TEXTS.en.number), '9');
  await user.click(screen.getByRole('button', { name: 'Create account' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[0]).toMatchObject({ whatsapp_number: NUMBER, number_proof: 'a-proof' });
  expect(sent[1]).not.toHaveProperty('number_proof');
});

test('the registration request contains the verification code that the visitor typed', async () => {
  const asked: unknown[] = [];
  server.use(
    http.post('*/api/auth/prove-number', async ({ request }) => {
      asked.push(await request.json());
      return HttpResponse.json({ success: true });
    }),
  );
  const sent = serveUsers();
  const { user } = await openRegister();
  await fillRegister(user);
  await user.click(screen.getByRole('button', { name: TEXTS.en.byCode }));
  await user.dblClick(screen.getByRole('button', { name: 'Send me a verification code' }));
  const field = await screen.findByLabelText('Verification code');
  await user.type(field, '123456');
  await user.click(screen.getByRole('button', { name: 'Create account' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ whatsapp_number: NUMBER, verification_code: '123456' });
  expect(asked).toEqual([{ whatsapp_number: NUMBER }]);
});

test('a visitor who registers with another account’s phone number is shown how to prove that the visitor owns the number', async () => {
  serveUsers(() => refuse(409, 'phone_taken', 'An account with this phone number already exists.') as never);
  const { user } = await openRegister();
  await fillRegister(user);
  await user.click(screen.getByRole('button', { name: 'Create account' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    /already exists\. If this number is yours, confirm it below/,
  );
});

test('if a phone discards the page while the user is in WhatsApp, the reloaded page still waits for the user’s WhatsApp message', async () => {
  serveMe();
  const calls = serveProof(WAITING, PROVEN);
  const first = await renderScreen('/prove-number', { isSignedIn: true });
  await first.user.click(await screen.findByRole('button', { name: TEXTS.en.byMessage }));
  await screen.findByRole('link', { name: TEXTS.en.open });
  first.unmount();
  await renderScreen('/prove-number', { isSignedIn: true });
  expect(await screen.findByText(/^Thank you! We have your message/)).toBeInTheDocument();
  expect(calls.started).toHaveLength(1);
});

test('a signed-in user proves their phone number, types the password and returns to the previous screen', async () => {
  serveMe();
  serveProof(PROVEN);
  const sent: unknown[] = [];
  server.use(
    http.post('*/api/me/whatsapp-number/confirm', async ({ request }) => {
      sent.push(await request.json());
      if (sent.length === 1) return refuse(403, 'wrong_password', 'The password is not right.') as never;
      return HttpResponse.json({ ...ME, is_whatsapp_verified: true });
    }),
  );
  const { user, router } = await renderScreen(
    { pathname: '/prove-number', state: { from: '/notices' } },
    { isSignedIn: true },
  );
  expect(await screen.findByText('Not confirmed yet')).toBeInTheDocument();
  expect(screen.getByLabelText(TEXTS.en.number)).toHaveValue(NUMBER);
  await user.click(screen.getByRole('button', { name: TEXTS.en.byMessage }));
  await screen.findByText(/Save the number now/);
  await user.click(screen.getByRole('button', { name: 'Save this number' }));
  expect(sent).toEqual([]);
  await user.type(screen.getByLabelText('Your password'), 'si hili');
  await user.click(screen.getByRole('button', { name: 'Save this number' }));
  expect(await screen.findByText('The password is not right.')).toBeInTheDocument();
  const places = screen.getAllByRole('status');
  await user.clear(screen.getByLabelText('Your password'));
  await user.type(screen.getByLabelText('Your password'), 'tumaini la kesho');
  await user.click(screen.getByRole('button', { name: 'Save this number' }));
  const saved = await screen.findByText(`Your number ${NUMBER} is confirmed.`);
  // A screen reader ignores a live region that appears together with its text.
  expect(places).toContain(saved.closest('[role=status]'));
  expect(sent.at(-1)).toEqual({ number_proof: 'a-proof', current_password: 'tumaini la kesho' });
  await user.click(screen.getByRole('link', { name: 'Continue' }));
  expect(router.state.location.pathname).toBe('/notices');
});

test('a person whose account has no phone number can add a number and prove it with a verification code', async () => {
  serveMe({ whatsapp_number: null });
  const sent: [string, unknown][] = [];
  server.use(
    http.post('*/api/me/whatsapp-number', async ({ request }) => {
      sent.push(['ask', await request.json()]);
      return HttpResponse.json({ success: true });
    }),
    http.post('*/api/me/whatsapp-number/confirm', async ({ request }) => {
      sent.push(['confirm', await request.json()]);
      return HttpResponse.json({ ...ME, is_whatsapp_verified: true });
    }),
  );
  const { user } = await renderScreen('/prove-number', { isSignedIn: true, language: 'sw' });
  expect(await screen.findByText(/Akaunti yako haina namba kwa sasa/)).toBeInTheDocument();
  await user.type(screen.getByLabelText(TEXTS.sw.number), NUMBER);
  await user.type(screen.getByLabelText('Nenosiri lako'), 'siri yangu');
  await user.click(screen.getByRole('button', { name: TEXTS.sw.byCode }));
  await user.click(screen.getByRole('button', { name: 'Nitumie namba ya uthibitisho' }));
  await user.type(await screen.findByLabelText('Namba ya uthibitisho'), '654321');
  await user.click(screen.getByRole('button', { name: 'Hifadhi namba hii' }));
  expect(await screen.findByText(`Namba yako ${NUMBER} imethibitishwa.`)).toBeInTheDocument();
  expect(sent).toEqual([
    ['ask', { whatsapp_number: NUMBER, current_password: 'siri yangu' }],
    ['confirm', expect.objectContaining({ verification_code: '654321' })],
  ]);
});

test('the screen that proves a phone number asks visitors to log in; an account that fails to load shows an error', async () => {
  const visitor = await renderScreen('/prove-number');
  expect(await screen.findByText('Log in to confirm your number.')).toBeInTheDocument();
  visitor.unmount();
  server.use(http.get('*/api/me', () => refuse(404, 'not_found', 'There is nothing here.') as never));
  await renderScreen('/prove-number', { isSignedIn: true });
  expect(await screen.findByText('Your account could not be loaded.')).toBeInTheDocument();
});
