import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ME, serveAccount, serveWrite } from './support/account.ts';
import { refuse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

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

test('a code that was sent is said and waited for; another can be sent once this one should have arrived', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
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

test('a code of one number is none of another, which needs its own', async () => {
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

test('while the code is sent the button says so; one that could not be sent says why', async () => {
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
] as const)('in %s no code is sent to %j, and why is said', async (language, number, send, sentence) => {
  const asked = serveWrite('post', '/auth/prove-number', () => HttpResponse.json({ success: true }));
  const { user } = await openRegister(language, number);
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(screen.getByRole('button', { name: send }));
  expect(screen.getByRole('alert')).toHaveTextContent(sentence);
  expect(asked).toEqual([]);
});

test('a code that the server refuses to send is answered with the fixed text and the reason', async () => {
  server.use(http.post('*/api/auth/prove-number', () => refuse(429, 'too_many_requests', 'Please wait 15 minutes.')));
  const { user } = await openRegister();
  await user.click(screen.getByRole('button', { name: 'Send me a verification code' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Failed to send verification code. Please try again. Please wait 15 minutes.',
  );
});

test('from the code one comes back to the message', async () => {
  const { user } = await openRegister();
  const panel = within(screen.getByRole('region', { name: 'Confirm that the number is yours' }));
  await user.click(panel.getByRole('button', { name: 'Send us a message instead' }));
  expect(panel.getByRole('button', { name: 'Send us a WhatsApp message' })).toBeInTheDocument();
  expect(panel.getByText(/^It is free, and keeps others from using your number/)).toBeInTheDocument();
  expect(panel.queryByRole('button', { name: 'Send me a verification code' })).toBeNull();
});

test('a message that nobody knows of any more is one whose time is over; one that cannot be begun says so', async () => {
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

test('a number is saved only with what shows that it is the reader’s, once, and the way home is there', async () => {
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

test('a number that could not be saved says so, and its code is still there', async () => {
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

test('what was refused at the sign-in is not said any more while it is tried again, which is sent once', async () => {
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

test('between sign-in and a new account nobody loses where they were going', async () => {
  const { user, router } = await renderScreen({ pathname: '/login', state: { from: '/my-posts' } });
  await user.click(await screen.findByRole('link', { name: 'Create one' }));
  expect(router.state.location).toMatchObject({ pathname: '/register', state: { from: '/my-posts' } });
  await user.click(within(await screen.findByRole('main')).getByRole('link', { name: 'Log in' }));
  expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/my-posts' } });
});
