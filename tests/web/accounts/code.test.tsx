import { act, render, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import type { Language } from '#contract/language.ts';
import { ME, serveAccount, serveWrite } from '#tests/web/support/account.ts';
import { refuseWith, serveOwn } from '#tests/web/support/communities.ts';
import { holdTime } from '#tests/web/support/phone.ts';
import { refuse } from '#tests/web/support/posts.ts';
import { renderScreen, startUser } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { NumberBar } from '#web/accounts/number-bar.tsx';
import { api } from '#web/api/client.ts';
import { queryClient } from '#web/api/queries.ts';
import { signInAs } from '#web/api/session.ts';
import { changeLanguage } from '#web/lib/i18n.ts';

const NUMBER = '+255712345678';
const OTHER = '+255754321987';

async function openRegister(language: 'en' | 'sw' = 'en', number = '0712345678') {
  const view = await renderScreen('/register', { language });
  const label = language === 'en' ? 'Phone number (WhatsApp)' : 'Namba ya simu (WhatsApp)';
  const field = await screen.findByLabelText(label);
  await view.user.type(field, number);
  const way = language === 'en' ? 'Get a verification code instead' : 'Pata namba ya uthibitisho badala yake';
  await view.user.click(screen.getByRole('button', { name: way }));
  return { ...view, field };
}

test('a message confirms that the verification code was sent, and another code can be requested after a wait', async () => {
  holdTime();
  const asked = serveWrite('post', '/auth/prove-number', () => HttpResponse.json({ success: true }));
  const { user } = await openRegister();
  expect(screen.queryByLabelText('Verification code')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Send me a verification code' }));
  const said = await screen.findByText(/^We have sent a verification code to \+255712345678 on WhatsApp/);
  expect(said.closest('[role=status]')).not.toBeNull();
  const code = screen.getByLabelText('Verification code');
  expect(code).toHaveFocus();
  expect(code).toHaveAttribute('inputmode', 'numeric');
  expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  await user.type(code, '12 34-ab');
  expect(code).toHaveValue('1234');
  const again = screen.getByRole('button', { name: 'Send another code' });
  expect(again).toHaveAttribute('aria-disabled', 'true');
  await act(() => vi.advanceTimersByTimeAsync(15_000));
  await user.click(again);
  expect(asked).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(6_000));
  await user.click(again);
  await waitFor(() => expect(asked).toHaveLength(2));
  await waitFor(() => expect(screen.getByLabelText('Verification code')).toHaveValue(''));
  expect(again).toHaveAttribute('aria-disabled', 'true');
});

test('changing the phone number after a verification code was sent removes the field for the code', async () => {
  const asked = serveWrite('post', '/auth/prove-number', () => HttpResponse.json({ success: true }));
  const { user, field } = await openRegister();
  await user.click(screen.getByRole('button', { name: 'Send me a verification code' }));
  await screen.findByLabelText('Verification code');
  await user.clear(field);
  await user.type(field, '0754321987');
  expect(screen.queryByLabelText('Verification code')).toBeNull();
  expect(screen.queryByText(/^We have sent a verification code/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Send me a verification code' }));
  await screen.findByText(/^We have sent a verification code to \+255754321987/);
  expect(asked).toEqual([{ whatsapp_number: NUMBER }, { whatsapp_number: OTHER }]);
});

test('the button shows that a verification code is being sent, and an alert appears if sending fails', async () => {
  const answered = Promise.withResolvers<void>();
  server.use(
    http.post('*/api/auth/prove-number', async () => {
      await answered.promise;
      return HttpResponse.error();
    }),
  );
  const { user } = await openRegister();
  await user.click(screen.getByRole('button', { name: 'Send me a verification code' }));
  expect(await screen.findByRole('button', { name: 'Sending the verification code…' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  answered.resolve();
  expect(await screen.findByRole('alert')).toHaveTextContent('This did not work. Check your network and try again.');
  expect(screen.queryByLabelText('Verification code')).toBeNull();
});

test.each([
  ['en', ' ', 'Send me a verification code', 'Phone number is required'],
  ['sw', '12', 'Nitumie namba ya uthibitisho', 'Namba ya simu si sahihi'],
] as const)(
  'in the language %s, no verification code is sent to the invalid phone number %j, and the field shows the reason',
  async (language, number, send, sentence) => {
    const asked = serveWrite('post', '/auth/prove-number', () => HttpResponse.json({ success: true }));
    const { user } = await openRegister(language, number);
    expect(screen.queryByRole('alert')).toBeNull();
    await user.click(screen.getByRole('button', { name: send }));
    expect(screen.getByRole('alert')).toHaveTextContent(sentence);
    expect(asked).toEqual([]);
  },
);

test('if a request for a verification code is refused, the app shows its own text followed by the server’s reason', async () => {
  server.use(http.post('*/api/auth/prove-number', () => refuse(429, 'too_many_requests', 'Please wait 15 minutes.')));
  const { user } = await openRegister();
  await user.click(screen.getByRole('button', { name: 'Send me a verification code' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Failed to send verification code. Please try again. Please wait 15 minutes.',
  );
});

test('a user who is offered a verification code can prove the phone number by a WhatsApp message instead', async () => {
  const { user } = await openRegister();
  const panel = within(screen.getByRole('region', { name: 'Confirm that the number is yours' }));
  await user.click(panel.getByRole('button', { name: 'Send us a message instead' }));
  expect(panel.getByRole('button', { name: 'Send us a WhatsApp message' })).toBeInTheDocument();
  expect(panel.getByText(/^It is free, and keeps others from using your number/)).toBeInTheDocument();
  expect(panel.queryByRole('button', { name: 'Send me a verification code' })).toBeNull();
});

test('a WhatsApp proof that the server cannot find is shown as expired, and an error appears if a new proof cannot start', async () => {
  server.use(
    http.post('*/api/auth/number-proofs', () =>
      HttpResponse.json(
        { id: 'p1', secret: 's', url: 'https://wa.me/1', expires_at: new Date(Date.now() + 60_000).toISOString() },
        { status: 201 },
      ),
    ),
    http.get('*/api/auth/number-proofs/:id', () => refuse(404, 'not_found')),
  );
  const { user } = await openRegister();
  await user.click(screen.getByRole('button', { name: 'Send us a message instead' }));
  await user.click(screen.getByRole('button', { name: 'Send us a WhatsApp message' }));
  expect(await screen.findByText('The time for this message is over. Please start again.')).toBeInTheDocument();
  server.use(http.post('*/api/auth/number-proofs', () => HttpResponse.error()));
  await user.click(screen.getByRole('button', { name: 'Start again' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('This did not work.');
});

test('a new phone number is saved with one request that has the verification code, and then a link to the home page appears', async () => {
  serveAccount();
  const answered = Promise.withResolvers<void>();
  serveWrite('post', '/me/whatsapp-number', () => HttpResponse.json({ success: true }));
  const saved = serveWrite('post', '/me/whatsapp-number/confirm', (async () => {
    await answered.promise;
    return HttpResponse.json({ ...ME, whatsapp_number: OTHER });
  }) as never);
  const { user } = await renderScreen(
    { pathname: '/prove-number', state: { from: '//evil.example' } },
    { isSignedIn: true },
  );
  expect(await screen.findByText('Your number now: +255712345678')).toHaveTextContent('Confirmed');
  const save = screen.getByRole('button', { name: 'Save this number' });
  expect(save).toHaveAttribute('aria-disabled', 'true');
  await user.clear(screen.getByLabelText('Phone number (WhatsApp)'));
  await user.type(screen.getByLabelText('Phone number (WhatsApp)'), OTHER);
  await user.type(screen.getByLabelText('Your password'), 'siri yangu');
  await user.click(screen.getByRole('button', { name: 'Get a verification code instead' }));
  await user.click(screen.getByRole('button', { name: 'Send me a verification code' }));
  await user.type(await screen.findByLabelText('Verification code'), '654321{Enter}{Enter}');
  expect(await screen.findByRole('button', { name: 'Saving…' })).toHaveAttribute('aria-disabled', 'true');
  answered.resolve();
  expect(await screen.findByText(`Your number ${OTHER} is confirmed.`)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Go to the home page' })).toHaveAttribute('href', '/');
  expect(saved).toEqual([{ verification_code: '654321', current_password: 'siri yangu' }]);
});

test('if a phone number cannot be saved, an error appears and the typed verification code stays in its field', async () => {
  serveAccount();
  serveWrite('post', '/me/whatsapp-number', () => HttpResponse.json({ success: true }));
  serveWrite('post', '/me/whatsapp-number/confirm', () => HttpResponse.error());
  const { user } = await renderScreen('/prove-number', { isSignedIn: true });
  await user.type(await screen.findByLabelText('Your password'), 'siri yangu');
  await user.click(screen.getByRole('button', { name: 'Get a verification code instead' }));
  await user.click(screen.getByRole('button', { name: 'Send me a verification code' }));
  await user.type(await screen.findByLabelText('Verification code'), '654321{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('This did not work.');
  expect(screen.getByLabelText('Verification code')).toHaveValue('654321');
});

test('retrying a refused sign-in hides the error and sends one request', async () => {
  server.use(http.post('*/api/login', () => refuse(401, 'invalid_credentials', 'Si sahihi.'), { once: true }));
  const { user } = await renderScreen({ pathname: '/login', state: { email: 'asha@example.com', from: '/notices' } });
  const email = await screen.findByLabelText<HTMLInputElement>('Email');
  expect(email).toHaveValue('asha@example.com');
  await user.type(screen.getByLabelText('Password'), 'siri{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('Si sahihi.');
  const tries: Request[] = [];
  server.use(
    http.post('*/api/login', ({ request }) => {
      tries.push(request);
      return new Promise<never>(() => undefined);
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Log in' }));
  expect(screen.queryByRole('alert')).toBeNull();
  email.form?.requestSubmit();
  await screen.findByRole('button', { name: 'Logging in…' });
  await waitFor(() => expect(tries).toHaveLength(1));
});

test('switching between sign-in and registration does not change the screen that opens after the sign-in', async () => {
  const { user, router } = await renderScreen({ pathname: '/login', state: { from: '/my-posts' } });
  await user.click(await screen.findByRole('link', { name: 'Create one' }));
  expect(router.state.location).toMatchObject({ pathname: '/register', state: { from: '/my-posts' } });
  await user.click(within(await screen.findByRole('main')).getByRole('link', { name: 'Log in' }));
  expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/my-posts' } });
});

async function openVerifyCode() {
  localStorage.setItem('resetPhoneNumber', '+255712345678');
  localStorage.setItem('resetCodeIssuedAt', String(Date.now()));
  const view = await renderScreen('/verify-code');
  return { ...view, input: await screen.findByLabelText<HTMLInputElement>('Verification code') };
}

test('a refused verification code is announced as an alert, and the field’s text is selected', async () => {
  server.use(
    http.post(
      '*/api/auth/verify-code',
      refuseWith(400, { code: 'invalid_code', detail: 'The hand-over code is wrong' }),
    ),
  );
  const { user, input } = await openVerifyCode();
  await user.type(input, '864209{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('The hand-over code is wrong');
  expect(input).toHaveFocus();
  expect([input.selectionStart, input.selectionEnd]).toEqual([0, 6]);
});

test('a missing or short verification code is announced as an alert, and sending a new code removes the alert', async () => {
  server.use(
    http.post('*/api/auth/verify-code', refuseWith(400, { code: 'code_expired', detail: 'The code has expired.' })),
    http.post('*/api/auth/request-password-reset', () => HttpResponse.json({ success: true })),
  );
  const { user, input } = await openVerifyCode();
  await user.click(screen.getByRole('button', { name: 'Verify code' }));
  expect(screen.getByRole('alert')).toHaveTextContent('Verification code is required.');
  await user.type(input, '12{Enter}');
  expect(screen.getByRole('alert')).toHaveTextContent('Please enter a valid verification code.');
  await user.type(input, '3456{Enter}');
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('The code has expired.'));
  await user.click(await screen.findByRole('button', { name: 'Resend code' }));
  expect(await screen.findByText('Verification code sent to your phone number!')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('an alert shows why the server refused an access code, and the code stays in its field', async () => {
  serveOwn([]);
  server.use(
    http.post(
      '*/api/communities/join',
      refuseWith(404, { code: 'community_not_found', detail: 'There is no such code.' }),
    ),
  );
  const { user } = await renderScreen('/communities', { isSignedIn: true });
  const box = await screen.findByRole('textbox', { name: 'Access code' });
  await user.type(box, 'ABCDE23456{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to join community: There is no such code.');
  expect(box).toHaveValue('ABCDE23456');
  server.use(http.post('*/api/communities/join', () => HttpResponse.json({ id: 'school', name: 'Shule' })));
  await user.click(screen.getByRole('button', { name: 'Join' }));
  expect(await screen.findByText('Successfully joined the community!')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).toBeNull();
});

async function open(me: object, { path = '/', language = 'en' as Language } = {}) {
  server.use(http.get('*/api/me', () => HttpResponse.json({ id: 'a-user', username: 'Asha', ...me })));
  await changeLanguage(language);
  signInAs({ token: 'a-token', userId: 'a-user' });
  const view = render(
    <MemoryRouter initialEntries={[path]}>
      <main id="content" tabIndex={-1} />
      <NumberBar />
    </MemoryRouter>,
  );
  await act(() => queryClient.refetchQueries());
  return view;
}

const UNPROVEN = { whatsapp_number: NUMBER, is_whatsapp_verified: false };

test.each([
  ['en', `Is ${NUMBER} really your number? Confirm it, free of charge.`, 'Confirm my number', 'Later'],
  ['sw', `Je, ${NUMBER} ni namba yako kweli? Ithibitishe, ni bure.`, 'Thibitisha namba yangu', 'Baadaye'],
] as const)(
  'in the language %s, a person with an unproven phone number is asked to prove the number at most once a week',
  async (language, text, go, later) => {
    const first = await open(UNPROVEN, { language, path: '/communities?join=X' });
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: go })).toHaveAttribute('href', '/prove-number');
    await startUser().click(screen.getByRole('button', { name: later }));
    expect(screen.queryByText(text)).toBeNull();
    expect(screen.getByRole('main')).toHaveFocus();
    first.unmount();
    (await open(UNPROVEN, { language })).unmount();
    expect(screen.queryByText(text)).toBeNull();
    localStorage.setItem('numberAskedAt', String(Date.now() - 7 * 24 * 60 * 60 * 1000));
    await open(UNPROVEN, { language });
    expect(await screen.findByText(text)).toBeInTheDocument();
  },
);

test('no message asks for proof if the phone number is already proven, or if the user is on the screen for the proof', async () => {
  (await open({ whatsapp_number: NUMBER, is_whatsapp_verified: true })).unmount();
  await open(UNPROVEN, { path: '/prove-number' });
  expect(screen.queryByText(/really your number/)).toBeNull();
  expect(localStorage.getItem('numberAskedAt')).toBeNull();
});

test('a person without a phone number is asked for one at every visit, and when the server refuses a request with number_needed', async () => {
  localStorage.setItem('numberAskedAt', String(Date.now()));
  await open({ whatsapp_number: null, is_whatsapp_verified: false });
  const text = 'Your account has no WhatsApp number. Add yours to post again.';
  expect(await screen.findByText(text)).toBeInTheDocument();
  await startUser().click(screen.getByRole('button', { name: 'Later' }));
  expect(screen.queryByText(text)).toBeNull();
  server.use(http.post('*/api/communities/join', () => refuse(403, 'number_needed', 'Please add a number.') as never));
  await act(async () => {
    await api('POST /communities/join', { body: { access_code: 'X' } }).catch(() => undefined);
  });
  expect(await screen.findByText(text)).toBeInTheDocument();
});
