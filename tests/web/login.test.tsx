import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

test('signing in stores the token and goes home', async () => {
  server.use(
    http.post('*/api/login', async ({ request }) => {
      expect((await request.formData()).get('username')).toBe('asha@example.com');
      return HttpResponse.json({ access_token: 'T', token_type: 'bearer', user_id: 'U' });
    }),
  );
  const { user, router } = await renderScreen('/login');
  await user.type(await screen.findByLabelText('Email'), 'asha@example.com');
  await user.type(screen.getByLabelText('Password'), 'siri yangu kubwa');
  await user.click(screen.getByRole('button', { name: 'Log in' }));
  await expect.poll(() => router.state.location.pathname).toBe('/');
  expect(localStorage.getItem('token')).toBe('T');
  expect(localStorage.getItem('userID')).toBe('U');
});

test.each([
  ['en', 'Email and password are required.', 'Log in'],
  ['sw', 'Barua pepe na nenosiri vinahitajika.', 'Ingia'],
] as const)('an empty sign-in says so in %s', async (language, sentence, button) => {
  const { user } = await renderScreen('/login', { language });
  await user.click(await screen.findByRole('button', { name: button }));
  expect(await screen.findByText(sentence)).toBeInTheDocument();
});
