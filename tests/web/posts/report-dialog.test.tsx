import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ErrorCode } from '#contract/error-codes.ts';
import { REPORT_REASONS } from '#contract/kinds.ts';
import { MODERATION_REASON_MAX_CHARS, REPORT_TEXT_MAX_CHARS } from '#contract/limits.ts';
import { leaveHttps } from '#tests/web/support/phone.ts';
import { aPost, refuse, serveNothingElse } from '#tests/web/support/posts.ts';
import { renderScreen, startUser } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { ApiError } from '#web/api/client.ts';
import { queryClient } from '#web/api/queries.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { ReportDialog } from '#web/posts/post/report-dialog.tsx';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';

describe('reporting a post', () => {
  beforeEach(serveNothingElse);

  /** Serves one post, and records its reports with their idempotency keys. */
  function serve(post = aPost(), answer = () => HttpResponse.json({ id: 'ripoti' }, { status: 201 })) {
    const sent: { body: unknown; key: string | null }[] = [];
    server.use(
      http.get('*/api/posts/:id', () => HttpResponse.json(post)),
      http.post('*/api/posts/:id/reports', async ({ request }) => {
        sent.push({ body: await request.json(), key: request.headers.get('Idempotency-Key') });
        return answer();
      }),
    );
    return sent;
  }

  async function openDialog(language?: 'sw') {
    const names = language
      ? { report: 'Ripoti tangazo', scam: 'Kuna mtu anayejaribu kutapeli watu', send: 'Tuma ripoti' }
      : { report: 'Report this post', scam: 'Somebody is trying to cheat people', send: 'Send the report' };
    const { user } = await renderScreen('/posts/post-x', { isSignedIn: true, ...(language && { language }) });
    await user.click(await screen.findByRole('button', { name: names.report }));
    const dialog = within(await screen.findByRole('dialog', { name: names.report }));
    return { user, dialog, names };
  }

  test('sends one request if the user presses the button twice', async () => {
    const sent = serve();
    const { user, dialog, names } = await openDialog();
    await user.click(dialog.getByRole('button', { name: names.send }));
    expect(dialog.getByRole('alert')).toHaveTextContent('Say what is wrong with this post.');
    expect(sent).toEqual([]);
    await user.click(dialog.getByRole('radio', { name: names.scam }));
    await user.type(dialog.getByRole('textbox', { name: /Say more/ }), 'Anadai pesa');
    await user.dblClick(dialog.getByRole('button', { name: names.send }));
    expect(await dialog.findByText('Thank you. The admins will look at this post.')).toBeInTheDocument();
    expect(sent.map(({ body }) => body)).toEqual([{ reason: 'scam', text: 'Anadai pesa' }]);
    await user.click(dialog.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('button', { name: names.report })).toHaveFocus();
  });

  test('sends the same idempotency key if the user tries again after a missing response', async () => {
    let isDown = true;
    const sent = serve(aPost(), () =>
      isDown ? HttpResponse.error() : HttpResponse.json({ id: 'r' }, { status: 201 }),
    );
    const { user, dialog, names } = await openDialog();
    await user.click(dialog.getByRole('radio', { name: names.scam }));
    await user.click(dialog.getByRole('button', { name: names.send }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('There was no answer.');
    expect(dialog.getByRole('radio', { name: names.scam })).toBeChecked();
    isDown = false;
    await user.click(dialog.getByRole('button', { name: names.send }));
    expect(await dialog.findByText(/^Thank you/)).toBeInTheDocument();
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  });

  test.each([
    [409, 'already_reported', /^Umeshaliripoti tangazo hili/],
    [429, 'too_many_requests', /Unaweza kuliripoti hili kesho/],
    [404, 'post_not_found', /^Halipo tena/],
  ] as const)(
    'shows a Swahili explanation if the server refuses the report with status %i and code %s',
    async (status, code, text) => {
      serve(aPost(), () => refuse(status, code, 'Halipo tena'));
      const { user, dialog, names } = await openDialog('sw');
      await user.click(dialog.getByRole('radio', { name: names.scam }));
      await user.click(dialog.getByRole('button', { name: names.send }));
      expect(await dialog.findByText(text)).toBeInTheDocument();
    },
  );

  test('is not offered to the post’s author', async () => {
    serve(aPost({ is_mine: true }));
    await renderScreen('/posts/post-x', { isSignedIn: true });
    await screen.findByRole('link', { name: 'Manage in My Posts' });
    expect(screen.queryByRole('button', { name: 'Report this post' })).toBeNull();
  });

  test('asks a visitor to log in first, and then returns to the post', async () => {
    serve(aPost({ phone_number: null }));
    const { user, router } = await renderScreen('/posts/post-x?from=chat');
    await user.click(await screen.findByRole('link', { name: 'Report this post' }));
    expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/posts/post-x?from=chat' } });
  });

  test.each([
    ['reports', 'scam', /Several people have reported.*trying to cheat people.*You can change your post/],
    ['admin', 'Ondoa namba', /An admin has hidden.*Reason: Ondoa namba.*You can change your post/],
    ['suspension', null, /your account is suspended.*Others see it again when/],
  ] as const)(
    'the author of a post that is hidden by %s sees the reason and the next step',
    async (by, reason, text) => {
      serve(aPost({ is_mine: true, is_hidden: true, hidden_by: [by], hidden_reason: reason }));
      await renderScreen('/posts/post-x', { isSignedIn: true });
      expect(await screen.findByText('Hidden')).toBeInTheDocument();
      expect(screen.getByRole('status', { name: '' })).toHaveTextContent(text);
      expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
    },
  );

  test.each([
    ['en', ['Hidden because several people have reported it.', 'Hidden by the admins of its community.']],
    ['sw', ['Limefichwa kwa sababu watu kadhaa wameliripoti.', 'Limefichwa na wasimamizi wa jumuiya yake.']],
  ] as const)(
    'in the language %s, moderators see every reason why a post is hidden, but not the advice for its author',
    async (language, sentences) => {
      serve(aPost({ is_hidden: true, hidden_by: ['reports', 'community'], hidden_reason: 'scam' }));
      await renderScreen('/posts/post-x', { language, isSignedIn: true });
      expect(await screen.findByText(sentences[0])).toBeInTheDocument();
      const note = screen.getByText(sentences[0]).closest('ul') as HTMLElement;
      expect(
        within(note)
          .getAllByRole('listitem')
          .map(({ textContent }) => textContent),
      ).toEqual(sentences);
      expect(screen.queryByText(/You can change your post|Unaweza kubadilisha/)).toBeNull();
      expect(screen.queryByRole('button', { name: /Report this post|Ripoti tangazo/ })).toBeNull();
    },
  );

  test('the page of a visible post does not say that the post is hidden', async () => {
    serve(aPost({ title: 'Funguo', hidden_by: ['reports'] }));
    await renderScreen('/posts/post-x', { isSignedIn: true });
    await screen.findByRole('heading', { level: 1, name: 'Funguo' });
    expect(screen.queryByText(/^Hidden/)).toBeNull();
  });
});

describe('a reporting or moderating dialog', () => {
  beforeEach(async () => {
    await changeLanguage('en');
  });

  const WORDS = {
    title: 'Report it',
    question: 'What is wrong?',
    thanks: 'Thank you.',
    known: 'You have done so already.',
  };
  type Send = (input: { reason: string; text: string }, key: string) => Promise<unknown>;

  function openReport(send: Send = async () => undefined) {
    const onClose = vi.fn();
    const sending = vi.fn(send);
    render(
      <QueryClientProvider client={queryClient}>
        <ReportDialog words={WORDS} about="Nimeokota pochi" send={sending} onClose={onClose} />
      </QueryClientProvider>,
    );
    const user = startUser();
    const press = (name: string) => user.click(screen.getByRole('button', { name }));
    return { user, press, sending, onClose };
  }

  test('opens on a page without HTTPS', () => {
    leaveHttps();
    openReport();
    expect(screen.getByRole('dialog', { name: 'Report it' })).toBeInTheDocument();
  });

  test('names the reported post, and asks for one of five reasons', async () => {
    const { user, press, sending } = openReport();
    expect(screen.getByRole('dialog', { name: 'Report it' })).toBeInTheDocument();
    expect(screen.getByText('Nimeokota pochi')).toHaveAttribute('dir', 'auto');
    const group = screen.getByRole('group', { name: 'What is wrong?' });
    expect(group).not.toHaveAttribute('aria-describedby');
    const choices = screen.getAllByRole('radio');
    expect(choices.map((choice) => (choice as HTMLInputElement).value)).toEqual([...REPORT_REASONS]);
    for (const choice of choices) expect(choice).not.toBeChecked();
    await press('Send the report');
    expect(group).toHaveAccessibleDescription('Say what is wrong with this post.');
    expect(sending).not.toHaveBeenCalled();
    await user.click(choices[1] as HTMLElement);
    expect(screen.queryByRole('alert')).toBeNull();
    await user.click(choices[4] as HTMLElement);
    expect(choices.map((choice) => (choice as HTMLInputElement).checked)).toEqual([false, false, false, false, true]);
    const more = screen.getByRole('textbox', { name: 'Say more (optional)' });
    expect(more).toHaveAttribute('maxlength', `${REPORT_TEXT_MAX_CHARS}`);
    expect(screen.getByText(/^The admins read your report/)).toBeInTheDocument();
    await press('Send the report');
    await waitFor(() =>
      expect(sending).toHaveBeenCalledExactlyOnceWith({ reason: 'other', text: '' }, expect.any(String)),
    );
  });

  test('shows a message after the report is sent, and both close buttons close the dialog', async () => {
    const { user, press, onClose } = openReport();
    await user.click(screen.getAllByRole('radio')[0] as HTMLElement);
    await press('Send the report');
    expect(await screen.findByText('Thank you.')).toBeInTheDocument();
    expect(screen.queryByRole('radio')).toBeNull();
    for (const button of screen.getAllByRole('button', { name: 'Close' })) await user.click(button);
    expect(onClose).toHaveBeenCalledTimes(2);
  });

  test('sends nothing if it is closed', async () => {
    const { press, sending, onClose } = openReport();
    await press('Cancel');
    expect(onClose).toHaveBeenCalledOnce();
    expect(sending).not.toHaveBeenCalled();
  });

  const failure = (status: number, code: ErrorCode | null, detail?: string) =>
    new ApiError(status, { ...(code && { code }), ...(detail && { detail }) });

  test.each([
    [409, 'already_reported', undefined, 'You have done so already.', true],
    [429, 'too_many_requests', 'Too many.', /^You have reported as many posts as one person can/, false],
    [0, null, undefined, /^There was no answer/, false],
    [404, 'post_not_found', 'It is gone.', 'It is gone.', false],
    [500, 'internal_error', undefined, /^The report could not be sent/, false],
  ] as const)(
    'explains why the report could not be sent: HTTP status %i, error code %s',
    async (status, code, detail, text, isOver) => {
      const { user, press } = openReport(async () => Promise.reject(failure(status, code, detail)));
      await user.click(screen.getAllByRole('radio')[0] as HTMLElement);
      await press('Send the report');
      expect(await screen.findByText(text)).toBeInTheDocument();
      expect(screen.queryAllByRole('radio')).toHaveLength(isOver ? 0 : 5);
    },
  );

  test('says that the report could not be sent if the request fails for an unknown reason', async () => {
    const { user, press } = openReport(async () => Promise.reject(new TypeError('oh')));
    await user.click(screen.getAllByRole('radio')[0] as HTMLElement);
    await press('Send the report');
    expect(await screen.findByRole('alert')).toHaveTextContent('The report could not be sent. Please try again.');
  });

  function openReason({ problem = null as string | null, isBusy = false, initial = '' } = {}) {
    const seen = { onSubmit: vi.fn(), onClose: vi.fn() };
    render(
      <ReasonDialog
        title="Hide the post"
        text="Its author reads the reason."
        label="Reason"
        hint="In whole sentences."
        action="Hide"
        initial={initial}
        saving={{ error: problem && new ApiError(404, { detail: problem }), isPending: isBusy }}
        failed="The post could not be hidden."
        {...seen}
      />,
    );
    const user = startUser();
    const press = (name: string) => user.click(screen.getByRole('button', { name }));
    return { ...seen, user, press, field: screen.getByRole('textbox', { name: 'Reason' }) };
  }

  test('requires a reason from a moderator, and sends the reason as typed', async () => {
    const { user, press, field, onSubmit, onClose } = openReason();
    expect(screen.getByRole('dialog', { name: 'Hide the post' })).toHaveTextContent('Its author reads the reason.');
    expect(field).toHaveAccessibleDescription('In whole sentences.');
    expect(field).toHaveAttribute('maxlength', `${MODERATION_REASON_MAX_CHARS}`);
    expect(screen.queryByRole('alert')).toBeNull();
    await press('Hide');
    expect(field).toHaveAttribute('aria-invalid', 'true');
    expect(onSubmit).not.toHaveBeenCalled();
    await user.type(field, 'Namba ya mtu mwingine');
    await press('Hide');
    expect(onSubmit).toHaveBeenCalledExactlyOnceWith('Namba ya mtu mwingine');
    await press('Cancel');
    await press('Close');
    expect(onClose).toHaveBeenCalledTimes(2);
  });

  test('shows the server’s error, and sends the suggested reason if the moderator has not changed it', async () => {
    const { press, field, onSubmit } = openReason({ initial: 'Ondoa namba', problem: 'It is no longer there.' });
    expect(field).toHaveValue('Ondoa namba');
    expect(screen.getByRole('alert')).toHaveTextContent('It is no longer there.');
    await press('Hide');
    expect(onSubmit).toHaveBeenCalledExactlyOnceWith('Ondoa namba');
  });

  test('does not send a reason a second time while the first request is pending', async () => {
    const { press, onSubmit } = openReason({ initial: 'Ondoa namba', isBusy: true });
    await press('Hide');
    expect(onSubmit).not.toHaveBeenCalled();
  });
});
