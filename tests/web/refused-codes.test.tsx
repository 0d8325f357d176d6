import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { refuse, serveOwn } from './support/communities.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

async function openVerifyCode() {
  localStorage.setItem('resetPhoneNumber', '+255712345678');
  localStorage.setItem('resetCodeIssuedAt', String(Date.now()));
  const view = await renderScreen('/verify-code');
  return { ...view, input: await screen.findByLabelText<HTMLInputElement>('Verification code') };
}

test('a verification code that is refused is an alert, and stands selected to be typed over', async () => {
  server.use(
    http.post('*/api/auth/verify-code', refuse(400, { code: 'invalid_code', detail: 'The hand-over code is wrong' })),
  );
  const { user, input } = await openVerifyCode();
  await user.type(input, '864209{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('The hand-over code is wrong');
  expect(input).toHaveFocus();
  expect([input.selectionStart, input.selectionEnd]).toEqual([0, 6]);
});

test('a code that is missing or too short is an alert, one that was sent is none', async () => {
  server.use(
    http.post('*/api/auth/verify-code', refuse(400, { code: 'code_expired', detail: 'The code has expired.' })),
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

test('an access code that is refused is an alert with the server’s reason, and stays in its box', async () => {
  serveOwn([]);
  server.use(
    http.post('*/api/communities/join', refuse(404, { code: 'community_not_found', detail: 'There is no such code.' })),
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
