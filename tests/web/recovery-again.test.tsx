import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { refuse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

/** Answers an auth call once it is let go, and counts how often it was asked. */
function hold(path: string, answer: () => Response = () => HttpResponse.json({ success: true })) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = { count: 0, letGo: resolve };
  server.use(
    http.post(`*/api/auth/${path}`, async () => {
      held.count++;
      await promise;
      return answer() as never;
    }),
  );
  return held;
}

async function openCode(ageSeconds = 0) {
  localStorage.setItem('resetPhoneNumber', '+255712345678');
  localStorage.setItem('resetCodeIssuedAt', String(Date.now() - ageSeconds * 1000));
  const view = await renderScreen('/verify-code');
  return { ...view, code: await screen.findByLabelText<HTMLInputElement>('Verification code') };
}

test('a code is asked for once, the button says so, and what failed before is not said meanwhile', async () => {
  server.use(http.post('*/api/auth/request-password-reset', () => HttpResponse.error(), { once: true }));
  const { user } = await renderScreen('/forgot-password');
  const phone = await screen.findByRole<HTMLInputElement>('textbox');
  expect(phone).toHaveAttribute('type', 'tel');
  await user.type(phone, '0712345678{Enter}');
  expect(await screen.findByRole('alert')).toBeInTheDocument();
  const held = hold('request-password-reset');
  await user.type(phone, '{Enter}');
  expect(screen.queryByRole('alert')).toBeNull();
  phone.form?.requestSubmit();
  await waitFor(() => expect(document.querySelector('[type=submit]')).toHaveAttribute('aria-busy', 'true'));
  held.letGo();
  await waitFor(() => expect(document.querySelector('[type=submit]')).not.toHaveAttribute('aria-busy'));
  phone.form?.requestSubmit();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(held.count).toBe(1);
});

test('a code is checked once; a wrong one is chosen, so that the next takes its place', async () => {
  const held = hold('verify-code', () => refuse(400, 'invalid_code', 'Si hiyo.'));
  const { user, code } = await openCode();
  await user.type(code, '864209{Enter}');
  code.form?.requestSubmit();
  held.letGo();
  expect(await screen.findByRole('alert')).toHaveTextContent('Si hiyo.');
  expect([code.selectionStart, code.selectionEnd]).toEqual([0, 6]);
  expect(held.count).toBe(1);
});

test('another code is asked for once, and one that could not be sent says why', async () => {
  const held = hold('request-password-reset', () => refuse(429, 'too_many_requests', 'Subiri kidogo.'));
  const { user } = await openCode(400);
  const [resend] = screen.getAllByRole('button').filter((button) => button.textContent === 'Resend code');
  await user.dblClick(resend as HTMLElement);
  held.letGo();
  expect(
    await screen.findByText('Failed to send verification code. Please try again. Subiri kidogo.'),
  ).toBeInTheDocument();
  expect(held.count).toBe(1);
});

test('a password is set once, and after it is set no more', async () => {
  hold('verify-code').letGo();
  const held = hold('reset-password');
  const { user, code } = await openCode();
  await user.type(code, '864209{Enter}');
  const password = await screen.findByLabelText<HTMLInputElement>('New password');
  expect(password).toHaveFocus();
  expect(password).toHaveAttribute('autocomplete', 'new-password');
  const form = password.form;
  for (const field of form?.querySelectorAll('input') ?? []) await user.type(field, 'embe bivu tamu');
  await user.keyboard('{Enter}');
  form?.requestSubmit();
  held.letGo();
  await waitFor(() => expect(localStorage.getItem('resetPhoneNumber')).toBeNull());
  form?.requestSubmit();
  expect(held.count).toBe(1);
});
