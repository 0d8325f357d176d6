import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '#contract/language.ts';
import { EMAIL_MAX_CHARS, FEEDBACK_MESSAGE_MAX_CHARS } from '#contract/limits.ts';
import english from '#locales/en/legal.json';
import swahili from '#locales/sw/legal.json';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { supportAddresses } from '#web/home/support-addresses.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { areNoticesHeld } from '#web/lib/notice-signals.ts';

type Answer = () => Response | Promise<Response>;

/** Renders the home page with its feedback form. @param answers the first responses; later requests succeed. */
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

test('the fields of the feedback form have hints for autofill and a maximum length', async () => {
  const { email, message } = await openForm();
  expect(email).toHaveAttribute('type', 'email');
  expect(email).toHaveAttribute('autocomplete', 'email');
  expect(email).toHaveAttribute('maxlength', `${EMAIL_MAX_CHARS}`);
  expect(message).toHaveAttribute('maxlength', `${FEEDBACK_MESSAGE_MAX_CHARS}`);
  for (const field of [email, message]) expect(field).not.toHaveAttribute('aria-invalid');
});

test.each(['en', 'sw'] as const)(
  'in the language %s, each empty field of the feedback form shows that it is required, until it is filled',
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

test('if only the message is missing, submitting the feedback form moves the focus to the message field', async () => {
  const { user, send, email, message, sent } = await openForm();
  await user.type(email, 'asha@example.com');
  await send();
  await waitFor(() => expect(message).toHaveFocus());
  expect([email.getAttribute('aria-invalid'), message.getAttribute('aria-invalid'), sent]).toEqual([null, 'true', []]);
});

test('feedback with an invalid e-mail address is not sent', async () => {
  const { send, write, email, message, sent } = await openForm();
  await write('asha');
  await send();
  await waitFor(() => expect(email).toHaveAttribute('aria-invalid', 'true'));
  expect(message).not.toHaveAttribute('aria-invalid');
  expect(sent).toEqual([]);
});

test.each(['en', 'sw'] as const)(
  'in the language %s, the error at a feedback message that is too long states the maximum number of characters',
  async (language) => {
    const { user, send, email, message, sent } = await openForm({ language });
    await user.type(email, 'asha@example.com');
    fireEvent.change(message, { target: { value: 'a'.repeat(FEEDBACK_MESSAGE_MAX_CHARS + 1) } });
    await send();
    await waitFor(() => expect(message).toHaveAttribute('aria-invalid', 'true'));
    expect(message).toHaveAccessibleDescription(expect.stringContaining(`${FEEDBACK_MESSAGE_MAX_CHARS}`));
    expect(sent).toEqual([]);
  },
);

test('the server’s error about a field of the feedback form is shown at the field', async () => {
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

test('if feedback failed to send, a second attempt sends it, and the error disappears', async () => {
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

test('a double press on Send sends the feedback once, and the user stays on the same page', async () => {
  const answer = Promise.withResolvers<Response>();
  const { user, send, write, sent, button, email, router } = await openForm({ answers: [() => answer.promise] });
  await write();
  await user.dblClick(button());
  expect(await screen.findByRole('button', { name: 'Sending…' })).toHaveAttribute('aria-busy', 'true');
  await user.type(email, '{Enter}');
  answer.resolve(HttpResponse.json({ id: 'f', email: '', message: '' }, { status: 201 }));
  expect(await screen.findByText('Thank you for your feedback!')).toBeInTheDocument();
  expect(email).toHaveValue('');
  // Submits the emptied form again, by the button and by Enter.
  await send();
  await user.type(email, '{Enter}');
  expect(screen.getByText('Thank you for your feedback!')).toBeInTheDocument();
  expect(email).not.toHaveAttribute('aria-invalid');
  expect(sent).toHaveLength(1);
  expect(router.state.location.pathname).toBe('/');
});

test('a user who has sent feedback can send a second message', async () => {
  const { send, write, sent } = await openForm();
  await write();
  await send();
  await screen.findByText('Thank you for your feedback!');
  await write('juma@example.com', 'Na mimi');
  await send();
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual({ email: 'juma@example.com', message: 'Na mimi' });
});

test('when the user submits the feedback form, the browser stays on the page', async () => {
  const { email } = await openForm();
  expect(fireEvent.submit(email.closest('form') as HTMLFormElement)).toBe(false);
  await waitFor(() => expect(email).toHaveAttribute('aria-invalid', 'true'));
});

test('notices do not interrupt a user who is writing feedback, and appear afterwards', async () => {
  const { user, email, message } = await openForm();
  expect(areNoticesHeld()).toBe(false);
  await user.type(email, 'a');
  expect(areNoticesHeld()).toBe(true);
  await user.clear(email);
  expect(areNoticesHeld()).toBe(false);
  await user.type(message, 'a');
  expect(areNoticesHeld()).toBe(true);
});

describe('legal pages', () => {
  afterEach(async () => {
    Object.assign(supportAddresses, { email: '', post: '' });
    await changeLanguage('en');
  });

  const TITLES = {
    privacy: { en: 'Privacy', sw: 'Faragha' },
    terms: { en: 'Terms of use', sw: 'Masharti ya matumizi' },
  } as const;
  const PAGES = ['privacy', 'terms'] as const;

  test.each(PAGES)('/%s is available in both languages, with the contact addresses', async (page) => {
    Object.assign(supportAddresses, { email: 'help@patikana.test', post: 'P.O. Box 1\nDodoma' });
    await renderScreen(`/${page}`);
    for (const language of LANGUAGES) {
      await act(() => changeLanguage(language));
      expect(await screen.findByRole('heading', { level: 1, name: TITLES[page][language] })).toBeVisible();
      const words = { en: english, sw: swahili }[language];
      for (const section of words[page].sections) {
        const heading = screen.getByRole('heading', { level: 2, name: section.title });
        expect(heading).toBeVisible();
        const { text, points = [] }: { text?: string; points?: string[] } = section;
        const part = within(heading.parentElement as HTMLElement);
        const paragraphs = part.queryAllByText(/./, { selector: 'p' }).map(({ textContent }) => textContent);
        expect(paragraphs).toEqual(text ? [text] : []);
        expect(part.queryAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(points);
        expect(part.queryAllByRole('list')).toHaveLength(points.length > 0 ? 1 : 0);
      }
      for (const sentence of [words[page].lead, words.changed]) expect(screen.getByText(sentence)).toBeVisible();
      expect(screen.getByRole('heading', { level: 2, name: words.contactTitle })).toBeVisible();
      const link = screen.getByRole('link', { name: 'help@patikana.test' });
      expect(link).toHaveAttribute('href', 'mailto:help@patikana.test');
      const byPost = screen.getByRole('heading', { level: 3, name: words.addressTitle });
      expect(byPost.nextElementSibling?.textContent).toBe('P.O. Box 1\nDodoma');
    }
  });

  test.each([
    [{ email: 'help@patikana.test' }, ['help@patikana.test'], 0],
    [{ post: 'P.O. Box 1' }, [], 1],
  ])('the privacy page shows the configured contact address %j and no other', async (configured, links, byPost) => {
    Object.assign(supportAddresses, configured);
    await renderScreen('/privacy');
    await screen.findByRole('heading', { level: 2, name: english.contactTitle });
    const main = within(screen.getByRole('main'));
    expect(main.queryAllByRole('link').map(({ textContent }) => textContent)).toEqual(links);
    expect(main.queryAllByRole('heading', { level: 3 })).toHaveLength(byPost);
  });

  test('the privacy page shows no contact address if none is configured', async () => {
    await renderScreen('/privacy');
    await screen.findByRole('heading', { level: 1, name: 'Privacy' });
    expect(screen.queryByRole('heading', { name: english.contactTitle })).toBeNull();
    expect(within(screen.getByRole('main')).queryByRole('link')).toBeNull();
  });

  test.each(PAGES)(
    '/%s has the same number of sections in both languages, and the same number of list items in each section',
    (page) => {
      const shapeOf = ({ sections }: (typeof english)[typeof page]) =>
        sections.map(({ points }: { points?: string[] }) => points?.length ?? 0);
      expect(shapeOf(swahili[page])).toEqual(shapeOf(english[page]));
    },
  );

  test('the home page and the registration screen each have a link to the terms and one to the privacy page', async () => {
    for (const path of ['/', '/register']) {
      const { unmount } = await renderScreen(path);
      expect(await screen.findByRole('link', { name: 'Terms of use' })).toHaveAttribute('href', '/terms');
      expect(screen.getByRole('link', { name: 'Privacy' })).toHaveAttribute('href', '/privacy');
      unmount();
    }
  });

  test('the registration screen opens the terms and the privacy page in a new tab, so that the user’s input is not lost', async () => {
    await renderScreen('/register');
    expect(await screen.findByText(/^By creating an account you agree to the terms of use/)).toBeVisible();
    for (const name of ['Terms of use', 'Privacy'])
      expect(screen.getByRole('link', { name })).toHaveAttribute('target', '_blank');
  });
});
