import { fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Language } from '#contract/language.ts';
import { EMAIL_MAX_CHARS, FEEDBACK_MESSAGE_MAX_CHARS } from '#contract/limits.ts';
import { areNoticesHeld } from '#web/lib/held-notices.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

type Answer = () => Response | Promise<Response>;

/** The home page's form. @param answers what each sending is answered in turn; all others are taken. */
async function openForm({ language = 'en' as Language, answers = [] as Answer[] } = {}) {
  const sent: unknown[] = [];
  server.use(
    http.post('*/api/feedback', async ({ request }) => {
      sent.push(await request.json());
      return ((await answers.shift()?.()) ??
        HttpResponse.json({ id: 'f', email: '', message: '' }, { status: 201 })) as never;
    }),
  );
  const view = await renderScreen('/', { language });
  const email = await screen.findByRole('textbox', { name: language === 'en' ? 'Email' : 'Barua pepe' });
  const message = screen.getByRole('textbox', { name: language === 'en' ? 'Message' : 'Ujumbe' });
  const button = () => screen.getByRole('button', { name: /^(Send feedback|Sending…|Tuma maoni)$/ });
  const send = () => view.user.click(button());
  const write = async (address = 'asha@example.com', text = 'Asante') => {
    await view.user.type(email, address);
    await view.user.type(message, text);
  };
  return { ...view, sent, email, message, button, send, write };
}

test('the fields help to be filled in, and take no more than can be sent', async () => {
  const { email, message } = await openForm();
  expect(email).toHaveAttribute('type', 'email');
  expect(email).toHaveAttribute('autocomplete', 'email');
  expect(email).toHaveAttribute('maxlength', `${EMAIL_MAX_CHARS}`);
  expect(message).toHaveAttribute('maxlength', `${FEEDBACK_MESSAGE_MAX_CHARS}`);
  for (const field of [email, message]) expect(field).not.toHaveAttribute('aria-invalid');
});

test.each(['en', 'sw'] as const)(
  'in %s each empty field says that it is needed, and no more once it is written in',
  async (language) => {
    const { user, send, email, message, sent } = await openForm({ language });
    await send();
    await waitFor(() => expect(email).toHaveAttribute('aria-invalid', 'true'));
    expect(message).toHaveAttribute('aria-invalid', 'true');
    expect(email).toHaveAccessibleDescription();
    expect(message).toHaveAccessibleDescription();
    expect(email).toHaveFocus();
    await user.type(email, 'a');
    expect(email).not.toHaveAttribute('aria-invalid');
    expect(message).toHaveAttribute('aria-invalid', 'true');
    expect(sent).toEqual([]);
  },
);

test('where the message alone is missing it has the focus', async () => {
  const { user, send, email, message, sent } = await openForm();
  await user.type(email, 'asha@example.com');
  await send();
  await waitFor(() => expect(message).toHaveFocus());
  expect([email.getAttribute('aria-invalid'), message.getAttribute('aria-invalid'), sent]).toEqual([null, 'true', []]);
});

test('what is no address is not sent', async () => {
  const { send, write, email, message, sent } = await openForm();
  await write('asha');
  await send();
  await waitFor(() => expect(email).toHaveAttribute('aria-invalid', 'true'));
  expect(message).not.toHaveAttribute('aria-invalid');
  expect(sent).toEqual([]);
});

test.each(['en', 'sw'] as const)('in %s a message that is too long is told how long it may be', async (language) => {
  const { user, send, email, message, sent } = await openForm({ language });
  await user.type(email, 'asha@example.com');
  fireEvent.change(message, { target: { value: 'a'.repeat(FEEDBACK_MESSAGE_MAX_CHARS + 1) } });
  await send();
  await waitFor(() => expect(message).toHaveAttribute('aria-invalid', 'true'));
  expect(message).toHaveAccessibleDescription(expect.stringContaining(`${FEEDBACK_MESSAGE_MAX_CHARS}`));
  expect(sent).toEqual([]);
});

test('what the server finds wrong with a field is said at it', async () => {
  const refusal = {
    code: 'validation_failed',
    detail: 'Some fields are not right.',
    errors: [{ field: 'message', message: 'Write it in other words.' }],
  };
  const { send, write, email, message, sent } = await openForm({
    answers: [() => HttpResponse.json(refusal, { status: 422 })],
  });
  await write();
  await send();
  await waitFor(() => expect(message).toHaveAccessibleDescription('Write it in other words.'));
  expect(message).toHaveFocus();
  expect(email).not.toHaveAttribute('aria-invalid');
  expect(screen.queryByText(/There was an error submitting/)).toBeNull();
  await send();
  expect(await screen.findByText('Thank you for your feedback!')).toBeInTheDocument();
  expect(message).not.toHaveAttribute('aria-invalid');
  expect(sent).toHaveLength(2);
});

test('feedback that did not come through can be sent again, and then nothing is said to be wrong', async () => {
  const { send, write, message } = await openForm({
    answers: [() => HttpResponse.json({ code: 'internal_error' }, { status: 500 })],
  });
  await write();
  await send();
  expect(await screen.findByRole('alert')).toHaveTextContent('There was an error submitting your feedback.');
  await send();
  expect(await screen.findByText('Thank you for your feedback!')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(message).toHaveValue('');
});

test('feedback is sent once, however often the button is pressed, and the page stays', async () => {
  const answer = Promise.withResolvers<Response>();
  const { user, send, write, sent, button, email, router } = await openForm({ answers: [() => answer.promise] });
  await write();
  await user.dblClick(button());
  expect(await screen.findByRole('button', { name: 'Sending…' })).toHaveAttribute('aria-busy', 'true');
  await user.type(email, '{Enter}');
  answer.resolve(HttpResponse.json({ id: 'f', email: '', message: '' }, { status: 201 }));
  expect(await screen.findByText('Thank you for your feedback!')).toBeInTheDocument();
  expect(email).toHaveValue('');
  // A press that was meant for the form which has been sent.
  await send();
  await user.type(email, '{Enter}');
  expect(screen.getByText('Thank you for your feedback!')).toBeInTheDocument();
  expect(email).not.toHaveAttribute('aria-invalid');
  expect(sent).toHaveLength(1);
  expect(router.state.location.pathname).toBe('/');
});

test('after one feedback another can be sent', async () => {
  const { send, write, sent } = await openForm();
  await write();
  await send();
  await screen.findByText('Thank you for your feedback!');
  await write('juma@example.com', 'Na mimi');
  await send();
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual({ email: 'juma@example.com', message: 'Na mimi' });
});

test('a form that is sent is not left by the browser', async () => {
  const { email } = await openForm();
  expect(fireEvent.submit(email.closest('form') as HTMLFormElement)).toBe(false);
  await waitFor(() => expect(email).toHaveAttribute('aria-invalid', 'true'));
});

test('notices wait while feedback is being written, and no longer', async () => {
  const { user, email, message } = await openForm();
  expect(areNoticesHeld()).toBe(false);
  await user.type(email, 'a');
  expect(areNoticesHeld()).toBe(true);
  await user.clear(email);
  expect(areNoticesHeld()).toBe(false);
  await user.type(message, 'a');
  expect(areNoticesHeld()).toBe(true);
});
