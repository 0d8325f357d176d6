import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { holdClock, holdTime } from '#tests/web/support/phone.ts';
import { refuse } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';

describe('the password reset', () => {
  const PHONE = '+255712345678';
  const SUCCESS = { success: true };

  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  type Answer = { status?: number; body?: unknown } | 'no answer';

  /**
   * Answers the nth request to the path with the nth answer, and later requests with the last answer.
   * @returns the bodies of the requests.
   */
  function answerAuth(path: 'request-password-reset' | 'verify-code' | 'reset-password', ...answers: Answer[]) {
    const bodies: unknown[] = [];
    server.use(
      http.post(`*/api/auth/${path}`, async ({ request }) => {
        const answer = answers[bodies.length] ?? answers.at(-1) ?? {};
        bodies.push(await request.json());
        if (answer === 'no answer') return HttpResponse.error();
        return HttpResponse.json((answer.body ?? SUCCESS) as Record<string, unknown>, { status: answer.status ?? 200 });
      }),
    );
    return bodies;
  }

  function refusal(status: number, code: string, detail?: string): Answer {
    return { status, body: { code, ...(detail && { detail }) } };
  }

  /** Opens /verify-code as if a verification code had been issued this many seconds ago. */
  async function openVerifyCode({ ageSeconds = 0, language = 'en' as 'en' | 'sw' } = {}) {
    localStorage.setItem('resetPhoneNumber', PHONE);
    localStorage.setItem('resetCodeIssuedAt', String(Date.now() - ageSeconds * 1000));
    const view = await renderScreen('/verify-code', { language });
    const input = await screen.findByLabelText(language === 'en' ? 'Verification code' : 'Namba ya uthibitisho');
    return { ...view, input };
  }

  async function openPasswordStep() {
    answerAuth('verify-code', {});
    const view = await openVerifyCode();
    await view.user.type(view.input, '864209');
    await view.user.click(screen.getByRole('button', { name: 'Verify code' }));
    await screen.findByText('Code verified successfully! Please set your new password.');
    return view;
  }

  /** Simulates that the phone slept this long: its timers stopped, but its clock went on. */
  function sleep(seconds: number) {
    const wakingAt = Date.now() + seconds * 1000;
    vi.spyOn(Date, 'now').mockImplementation(() => wakingAt);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
  }

  test('requires a valid phone number before it sends a verification code', async () => {
    const { user } = await renderScreen('/forgot-password');
    await user.click(await screen.findByRole('button', { name: 'Send verification code' }));
    expect(await screen.findByText('Phone number is required')).toBeInTheDocument();
    await user.type(screen.getByLabelText(/^Phone number/), '12');
    expect(screen.getByText('Invalid phone number')).toBeInTheDocument();
  });

  test('confirms that the verification code was sent, stores the phone number, and asks for the code two seconds later', async () => {
    const bodies = answerAuth('request-password-reset', {});
    const { user, router } = await renderScreen('/forgot-password');
    await user.type(await screen.findByLabelText(/^Phone number/), '0712 345-678');
    const button = screen.getByRole('button', { name: 'Send verification code' });
    holdTime();
    await user.click(button);
    expect(await screen.findByText('Verification code sent to your phone number!')).toBeInTheDocument();
    expect(bodies).toEqual([{ whatsapp_number: PHONE }]);
    expect(localStorage.getItem('resetPhoneNumber')).toBe(PHONE);
    expect(button).toHaveAttribute('aria-disabled', 'true');
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(router.state.location.pathname).toBe('/forgot-password');
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(router.state.location.pathname).toBe('/verify-code');
    expect(router.state.historyAction).toBe('REPLACE');
    expect(await screen.findByLabelText('Verification code')).toBeEnabled();
  });

  test.each([
    [
      'the server fails',
      refusal(500, 'internal_error', 'Something went wrong on our side. Please try again later.'),
      'Failed to send verification code. Please try again.',
    ],
    [
      'the server does not confirm success',
      { body: { success: false } },
      'Failed to send verification code. Please try again.',
    ],
    ['no answer', 'no answer', 'An error occurred. Please try again later.'],
    [
      'too many requests',
      refusal(429, 'too_many_requests', 'Too many attempts. Please wait a while and try again.'),
      'Failed to send verification code. Please try again. Too many attempts. Please wait a while and try again.',
    ],
  ] satisfies [string, Answer, string][])(
    'shows an error if the request for a verification code fails: %s',
    async (_name, answer, sentence) => {
      answerAuth('request-password-reset', answer);
      const { user, router } = await renderScreen('/forgot-password');
      await user.type(await screen.findByLabelText(/^Phone number/), PHONE);
      await user.click(screen.getByRole('button', { name: 'Send verification code' }));
      expect(await screen.findByText(sentence)).toBeInTheDocument();
      expect(localStorage.getItem('resetPhoneNumber')).toBeNull();
      expect(router.state.location.pathname).toBe('/forgot-password');
    },
  );

  test('has a link from its first screen to the sign-in', async () => {
    await renderScreen('/forgot-password');
    expect(await screen.findByRole('link', { name: 'Back to login' })).toHaveAttribute('href', '/login');
  });

  test('redirects from its second screen to its first if the visitor has not requested a verification code', async () => {
    const { router } = await renderScreen('/verify-code');
    await screen.findByRole('heading', { name: 'Forgot your password?' });
    expect(router.state.location.pathname).toBe('/forgot-password');
    expect(router.state.historyAction).toBe('REPLACE');
  });

  test('treats a verification code whose age is unknown as just sent, valid for five minutes', async () => {
    holdClock();
    localStorage.setItem('resetPhoneNumber', PHONE);
    await renderScreen('/verify-code');
    expect(await screen.findByRole('timer')).toHaveTextContent('05:00');
  });

  test('counts the lifetime of a verification code from its sending, so that a reload does not extend the lifetime', async () => {
    holdClock();
    const { unmount } = await openVerifyCode({ ageSeconds: 100 });
    expect(screen.getByRole('timer')).toHaveTextContent('03:20');
    unmount();
    await renderScreen('/verify-code');
    expect(await screen.findByRole('timer')).toHaveTextContent('03:20');
  });

  test('shows the remaining time of the verification code, counting down each second', async () => {
    holdClock();
    await openVerifyCode({ ageSeconds: 200 });
    expect(screen.queryByRole('button', { name: 'Resend code' })).not.toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(100_000));
    expect(screen.getByRole('timer')).toHaveTextContent('00:00');
    expect(screen.getByRole('button', { name: 'Resend code' })).not.toHaveAttribute('aria-disabled');
  });

  test('shows the right remaining time of the verification code after the phone has slept', async () => {
    holdClock();
    const { input } = await openVerifyCode();
    sleep(120);
    expect(screen.getByRole('timer')).toHaveTextContent('03:00');
    expect(input).toBeEnabled();
    sleep(200);
    expect(screen.getByRole('timer')).toHaveTextContent('00:00');
    expect(input).toBeDisabled();
  });

  test('after the verification code expires, disables the field for the code, reports the expiry and offers another code', async () => {
    const { input } = await openVerifyCode({ ageSeconds: 300 });
    expect(input).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Verify code' })).toHaveAttribute('aria-disabled', 'true');
    expect(screen.getByText('Verification code has expired. Please request a new one.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Resend code' })).not.toHaveAttribute('aria-disabled');
  });

  test('does not send an expired verification code to the server, even if the screen’s countdown has not ended', async () => {
    const bodies = answerAuth('verify-code', {});
    const { user, input } = await openVerifyCode();
    await user.type(input, '864209');
    const later = Date.now() + 301_000;
    vi.spyOn(Date, 'now').mockImplementation(() => later);
    input.closest('form')?.requestSubmit();
    expect(await screen.findByText('Verification code has expired. Please request a new one.')).toBeInTheDocument();
    expect(bodies).toEqual([]);
  });

  test('when another verification code is sent, empties the field for the code and restarts the five-minute countdown', async () => {
    holdClock();
    const bodies = answerAuth('request-password-reset', refusal(500, 'internal_error'), {});
    const { user, input } = await openVerifyCode({ ageSeconds: 300 });
    await user.click(screen.getByRole('button', { name: 'Resend code' }));
    expect(await screen.findByText('Failed to send verification code. Please try again.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Resend code' }));
    expect(await screen.findByText('Verification code sent to your phone number!')).toBeInTheDocument();
    expect(bodies).toEqual([{ whatsapp_number: PHONE }, { whatsapp_number: PHONE }]);
    expect(screen.getByRole('timer')).toHaveTextContent('05:00');
    expect(input).toBeEnabled();
    expect(input).toHaveFocus();
    expect(input).toHaveValue('');
    expect(screen.queryByRole('button', { name: 'Resend code' })).not.toBeInTheDocument();
    expect(Number(localStorage.getItem('resetCodeIssuedAt'))).toBe(Date.now());
  });

  test('requests the numeric keyboard, and autofill of the verification code from the message', async () => {
    const { input } = await openVerifyCode();
    expect(input).toHaveAttribute('inputmode', 'numeric');
    expect(input).toHaveAttribute('autocomplete', 'one-time-code');
  });

  test.each([
    ['012345', '012345'],
    ['012 345', '012345'],
    ['012345 is your verification code. It expires in 5 minutes.', '012345'],
    ['Msimbo wako: 98-76-54', '987654'],
  ])('reduces the pasted text %j to the verification code %s', async (pasted, code) => {
    const { user, input } = await openVerifyCode();
    await user.click(input);
    await user.paste(pasted);
    expect(input).toHaveValue(code);
  });

  test('requires a verification code of at least four characters', async () => {
    const bodies = answerAuth('verify-code', {});
    const { user, input } = await openVerifyCode();
    await user.click(screen.getByRole('button', { name: 'Verify code' }));
    expect(await screen.findByText('Verification code is required.')).toBeInTheDocument();
    await user.type(input, '123{Enter}');
    expect(await screen.findByText('Please enter a valid verification code.')).toBeInTheDocument();
    expect(bodies).toEqual([]);
  });

  test.each([
    ['refusal with a message', refusal(400, 'invalid_code', 'The server says no.'), 'The server says no.'],
    ['refusal without a message', refusal(400, 'invalid_code'), 'Invalid verification code.'],
    ['no response', 'no answer', 'An error occurred. Please try again later.'],
  ] satisfies [string, Answer, string][])(
    'shows an error if the server refuses a verification code or does not respond (case: %s)',
    async (_name, answer, sentence) => {
      const bodies = answerAuth('verify-code', answer);
      const { user, input } = await openVerifyCode();
      await user.type(input, '864209{Enter}');
      expect(await screen.findByText(sentence)).toBeInTheDocument();
      expect(bodies).toEqual([{ whatsapp_number: PHONE, verification_code: '864209' }]);
      expect(screen.queryByRole('button', { name: 'Resend code' })).not.toBeInTheDocument();
    },
  );

  test('offers another verification code at once if the server says that the code has expired', async () => {
    answerAuth('verify-code', refusal(400, 'code_expired', 'Verification code has expired. Please request a new one.'));
    const { user, input } = await openVerifyCode();
    await user.type(input, '864209{Enter}');
    expect(await screen.findByRole('button', { name: 'Resend code' })).not.toHaveAttribute('aria-disabled');
    expect(input).toBeDisabled();
    expect(screen.getAllByText('Verification code has expired. Please request a new one.')).toHaveLength(1);
  });

  test('stores an accepted verification code only in sessionStorage, and only until the password is reset', async () => {
    answerAuth('reset-password', {});
    const { router, unmount } = await openPasswordStep();
    expect(JSON.stringify([{ ...localStorage }, router.state.location])).not.toContain('864209');
    unmount();
    const reloaded = await renderScreen('/verify-code');
    await screen.findByText('Code verified successfully! Please set your new password.');
    await enterPassword(reloaded);
    expect(await screen.findByText('Password reset successful!')).toBeInTheDocument();
    expect({ ...sessionStorage }).toEqual({});
  });

  test('shows the field for the verification code again if another tab has requested a new code', async () => {
    const { unmount } = await openPasswordStep();
    unmount();
    // Another tab has requested a new verification code.
    localStorage.setItem('resetCodeIssuedAt', String(Date.now() + 1));
    await renderScreen('/verify-code');
    expect(await screen.findByLabelText('Verification code')).toBeEnabled();
  });

  test.each([
    ['', '', 'New password and confirmation are required.'],
    ['mwembe mkubwa', '', 'New password and confirmation are required.'],
    ['mwembe mkubwa', 'mwembe mdogo', 'Passwords do not match.'],
    ['fupi', 'fupi', 'Password must be at least 8 characters long.'],
  ])(
    'refuses the new password %j with the confirmation %j, and shows the error “%s”',
    async (password, confirmation, sentence) => {
      const bodies = answerAuth('reset-password', {});
      const { user } = await openPasswordStep();
      if (password) await user.type(screen.getByLabelText('New password'), password);
      if (confirmation) await user.type(screen.getByLabelText('Confirm new password'), confirmation);
      await user.click(screen.getByRole('button', { name: 'Reset password' }));
      expect(await screen.findByText(sentence)).toBeInTheDocument();
      expect(bodies).toEqual([]);
    },
  );

  async function enterPassword({ user }: Pick<Awaited<ReturnType<typeof renderScreen>>, 'user'>) {
    await user.type(screen.getByLabelText('New password'), 'mwembe mkubwa');
    await user.type(screen.getByLabelText('Confirm new password'), 'mwembe mkubwa');
    await user.click(screen.getByRole('button', { name: 'Reset password' }));
  }

  test('is titled “new password” as soon as the verification code is accepted', async () => {
    await openPasswordStep();
    expect(screen.getByRole('heading', { level: 1, name: 'Set a new password' })).toBeInTheDocument();
    expect(document.title).toBe('Set a new password · Patikana');
  });

  test('has two password fields, each with a button that shows or hides the password', async () => {
    const { user } = await openPasswordStep();
    for (const [index, label] of ['New password', 'Confirm new password'].entries()) {
      const input = screen.getByLabelText(label);
      expect(input).toHaveAttribute('type', 'password');
      const toggle = screen.getAllByRole('button', { name: 'Show password' })[index] as HTMLElement;
      await user.click(toggle);
      expect(input).toHaveAttribute('type', 'text');
      await user.click(toggle);
      expect(input).toHaveAttribute('type', 'password');
    }
  });

  test('shows a message on success, deletes the phone number from localStorage, and opens the sign-in two seconds later', async () => {
    const bodies = answerAuth('reset-password', {});
    const view = await openPasswordStep();
    holdTime();
    await enterPassword(view);
    expect(await screen.findByText('Password reset successful!')).toBeInTheDocument();
    expect(bodies).toEqual([{ whatsapp_number: PHONE, verification_code: '864209', new_password: 'mwembe mkubwa' }]);
    expect(localStorage.getItem('resetPhoneNumber')).toBeNull();
    expect(localStorage.getItem('resetCodeIssuedAt')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(view.router.state.location.pathname).toBe('/verify-code');
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(view.router.state.location.pathname).toBe('/login');
  });

  test.each([
    [
      'a common password',
      refusal(422, 'validation_failed', 'This password is too common and easy to guess.'),
      'This password is too common and easy to guess.',
    ],
    ['refusal without a message', refusal(500, 'internal_error'), 'Failed to reset password. Please try again.'],
    ['no response', 'no answer', 'An error occurred. Please try again later.'],
  ] satisfies [string, Answer, string][])(
    'shows an error if the new password cannot be set, and lets the user try again: %s',
    async (_name, answer, sentence) => {
      answerAuth('reset-password', answer, {});
      const view = await openPasswordStep();
      await enterPassword(view);
      expect(await screen.findByText(sentence)).toBeInTheDocument();
      await view.user.click(screen.getByRole('button', { name: 'Reset password' }));
      expect(await screen.findByText('Password reset successful!')).toBeInTheDocument();
    },
  );

  test.each(['code_expired', 'invalid_code'])(
    'offers another verification code if the server refuses the new password with the error code %s',
    async (code) => {
      answerAuth('reset-password', refusal(400, code, 'The code is of no use any more.'));
      await enterPassword(await openPasswordStep());
      expect(await screen.findByText('The code is of no use any more.')).toBeInTheDocument();
      expect(screen.getByLabelText('Verification code')).toBeDisabled();
      expect(screen.getByRole('button', { name: 'Resend code' })).not.toHaveAttribute('aria-disabled');
    },
  );

  test('can be completed in Swahili, with every text translated', async () => {
    answerAuth('verify-code', {});
    answerAuth('reset-password', {});
    const { user, input } = await openVerifyCode({ language: 'sw' });
    expect(screen.getByText(/^Kama namba ya simu \+255712345678 ina akaunti/)).toBeInTheDocument();
    await user.type(input, '864209');
    await user.click(screen.getByRole('button', { name: 'Thibitisha' }));
    await user.type(await screen.findByLabelText('Nenosiri jipya'), 'mwembe mkubwa');
    await user.type(screen.getByLabelText('Rudia nenosiri jipya'), 'mwembe mkubwa');
    await user.click(screen.getByRole('button', { name: 'Badilisha nenosiri' }));
    expect(await screen.findByText('Nenosiri limebadilishwa!')).toBeInTheDocument();
  });
});

/** Answers an auth request when the test releases it, and counts the requests. */
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

test('submitting a phone number twice requests one verification code, shows the button as busy and removes an earlier error', async () => {
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

test('a double submission sends the verification code to the server once, and a refused code is selected in its field', async () => {
  const held = hold('verify-code', () => refuse(400, 'invalid_code', 'Si hiyo.'));
  const { user, code } = await openCode();
  await user.type(code, '864209{Enter}');
  code.form?.requestSubmit();
  held.letGo();
  expect(await screen.findByRole('alert')).toHaveTextContent('Si hiyo.');
  expect([code.selectionStart, code.selectionEnd]).toEqual([0, 6]);
  expect(held.count).toBe(1);
});

test('two presses on “Resend code” send one request, and if the request fails, the screen shows the reason', async () => {
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

test('a new password submitted twice is sent only once', async () => {
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
