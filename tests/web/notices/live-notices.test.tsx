import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { CLOSE_CROWDED_OUT, CLOSE_SIGNED_OUT } from '#contract/live-messages.ts';
import { matchMessage, rejectionMessage, renderLive, serveLive } from '#tests/web/support/notices.tsx';
import { confetti } from '#tests/web/support/packages.ts';
import { holdTime } from '#tests/web/support/phone.ts';
import { server } from '#tests/web/support/setup.ts';
import { getSession } from '#web/api/session.ts';
import { OfflineBars } from '#web/offline/offline-bars.tsx';
import { Dialog } from '#web/ui/dialogs.tsx';
import { TextField } from '#web/ui/field.tsx';
import { useForm } from '#web/ui/form.ts';

describe('live notices', () => {
  beforeEach(() => {
    vi.spyOn(console, 'warn')
      .mockClear()
      .mockImplementation(() => undefined);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  async function connected(heard: { connections: unknown[] }, count = 1) {
    await waitFor(() => expect(heard.connections).toHaveLength(count));
  }

  test.each([
    [
      'en',
      'A Matching Post Found!',
      'It is the same kind of item: NIDA card.',
      'The name is the same: Neema Mwakyusa.',
      'Call',
      'View post',
    ],
    [
      'sw',
      'Tangazo Linalofanana Limepatikana!',
      'Ni kitu cha aina ileile: kitambulisho cha NIDA.',
      'Jina ni lilelile: Neema Mwakyusa.',
      'Piga simu',
      'Tazama tangazo',
    ],
  ] as const)(
    'a match notice opens at once, in the language %s, with the reasons for the match, contact links and a link to the post',
    async (language, title, item, name, call, view) => {
      const { heard, push } = serveLive();
      await renderLive({ language });
      await connected(heard);
      expect(heard.protocols).toEqual([['patikana.v1', 'ticket.t1']]);
      push(matchMessage);
      const modal = await screen.findByRole('dialog', { name: title });
      for (const text of ['Found a NIDA card', 'Kariakoo', item, name]) expect(modal).toHaveTextContent(text);
      expect(within(modal).getByRole('link', { name: call })).toHaveAttribute('href', 'tel:0754321987');
      expect(within(modal).getByRole('link', { name: 'WhatsApp' })).toHaveAttribute(
        'href',
        expect.stringContaining('https://wa.me/255754321987?text='),
      );
      expect(within(modal).getByRole('link', { name: view })).toHaveAttribute('href', '/posts/found-post');
      await waitFor(() => expect(heard.acknowledged).toEqual(['notice-1']));
    },
  );

  test('closing a notice marks it as read and shows the next notice', async () => {
    const { heard, push } = serveLive();
    const { user } = await renderLive();
    await connected(heard);
    push(matchMessage);
    push(rejectionMessage);
    const first = await screen.findByRole('dialog', { name: 'A Matching Post Found!' });
    expect(await within(first).findByText('1 more notice is waiting')).toBeInTheDocument();
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
    await user.click(within(first).getByRole('button', { name: 'Close' }));
    const second = await screen.findByRole('dialog', { name: 'Your community was not approved' });
    expect(second).toHaveTextContent('Shule ya Msingi was not approved.');
    expect(second).toHaveTextContent('Reason: Jina halieleweki.');
    await waitFor(() => expect(heard.read).toEqual([{ ids: ['notice-1'] }]));
    expect(heard.acknowledged).toEqual(['notice-1', 'notice-2']);
  });

  test.each([
    ['en', 'Your password was changed', 'It was me'],
    ['sw', 'Nenosiri lako limebadilishwa', 'Ni mimi'],
  ] as const)('the notice of a changed password opens at once, in the language %s', async (language, title, close) => {
    const { heard, push } = serveLive();
    const { user } = await renderLive({ language });
    await connected(heard);
    push({ type: 'password_changed', id: 'notice-9', created_at: '2026-11-21T05:05:00.000Z' });
    const modal = await screen.findByRole('dialog', { name: title });
    await user.click(within(modal).getByRole('button', { name: close }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('the notice of a community’s approval links to the community’s page', async () => {
    const { heard, push } = serveLive();
    await renderLive();
    await connected(heard);
    push({ ...rejectionMessage, type: 'community_approved', reason: null });
    const modal = await screen.findByRole('dialog', { name: 'Your community is approved' });
    expect(within(modal).getByRole('link')).toHaveAttribute('href', '/community-details/a-community');
  });

  test('a notice that this browser has already shown is acknowledged but not shown again, even after a reload', async () => {
    const { heard, push } = serveLive();
    const { user, unmount } = await renderLive();
    await connected(heard);
    push(matchMessage);
    push(matchMessage);
    await user.click(await screen.findByRole('button', { name: 'Close' }));
    push(matchMessage);
    await waitFor(() => expect(heard.acknowledged).toEqual(['notice-1', 'notice-1']));
    expect(screen.queryByRole('dialog')).toBeNull();
    unmount();
    await renderLive();
    await connected(heard, 2);
    push(matchMessage);
    await waitFor(() => expect(heard.acknowledged).toHaveLength(3));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('a notice that arrives while the page is hidden waits, unacknowledged, until the user returns', async () => {
    const { heard, push } = serveLive();
    await renderLive();
    await connected(heard);
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    push(matchMessage);
    push({ ...rejectionMessage });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(heard.acknowledged).toEqual([]);
    visibility.mockRestore();
    fireEvent(document, new Event('visibilitychange'));
    expect(await screen.findByRole('dialog', { name: 'A Matching Post Found!' })).toBeInTheDocument();
    await waitFor(() => expect(heard.acknowledged).toEqual(['notice-1']));
  });

  test('pressing “Not this one” on a match notice sends the answer, shows a message and closes the notice', async () => {
    const { heard, push } = serveLive();
    const { user } = await renderLive();
    await connected(heard);
    push(matchMessage);
    await user.click(await screen.findByRole('button', { name: 'Not this one' }));
    expect(await screen.findByText('Done. We will not show you these two posts together again.')).toBeInTheDocument();
    expect(heard.dismissed).toEqual(['notice-1']);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test.each([
    ['en', 'Somebody thinks this is it', 'Not this one', 'Done. We will not show you that post as a match again.'],
    [
      'sw',
      'Kuna mtu anayedhani ni hiki',
      'Si hiki',
      'Sawa. Hatutakuonyesha tena kuwa tangazo hilo linafanana na lako.',
    ],
  ] as const)(
    'if a person suggested a match, the match notice in the language %s says so, and can be dismissed',
    async (language, title, button, done) => {
      const { heard, push } = serveLive();
      const { user } = await renderLive({ language });
      await connected(heard);
      push({ ...matchMessage, confidence: 'possible' });
      const dialog = await screen.findByRole('dialog', { name: title });
      expect(dialog.querySelector('canvas')).toBeNull();
      await user.click(within(dialog).getByRole('button', { name: button }));
      expect(await screen.findByText(done)).toBeInTheDocument();
      expect(heard).toMatchObject({ dismissedPairs: ['pair-1'], dismissed: [] });
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    },
  );

  test('a late response to “Not this one” does not close the notice that is shown by then', async () => {
    const { heard, push } = serveLive();
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => {
      server.use(
        http.post('*/api/notices/:id/dismiss', async () => {
          resolve();
          await new Promise<void>((release) => {
            answer = release;
          });
          return new HttpResponse(null, { status: 204 });
        }),
      );
    });
    const { user } = await renderLive();
    await connected(heard);
    push(matchMessage);
    push(rejectionMessage);
    await user.click(await screen.findByRole('button', { name: 'Not this one' }));
    await isAsked;
    await user.click(screen.getByRole('button', { name: 'Close' }));
    const next = await screen.findByRole('dialog', { name: 'Your community was not approved' });
    answer();
    expect(await screen.findByText('Done. We will not show you these two posts together again.')).toBeInTheDocument();
    expect(next).toBeInTheDocument();
  });

  test('a failed “Not this one” shows an error and keeps the notice open', async () => {
    const { heard, push } = serveLive();
    server.use(
      http.post('*/api/notices/:id/dismiss', () => HttpResponse.json({ code: 'unavailable' }, { status: 503 })),
    );
    const { user } = await renderLive();
    await connected(heard);
    push(matchMessage);
    await user.click(await screen.findByRole('button', { name: 'Not this one' }));
    // The error is inside the dialog, because a modal makes everything outside inert.
    const modal = screen.getByRole('dialog');
    expect(await within(modal).findByRole('alert')).toHaveTextContent(
      'Your answer could not be saved. Please try again.',
    );
  });

  test('an invalid message over the WebSocket is ignored', async () => {
    const { heard, push } = serveLive();
    await renderLive();
    await connected(heard);
    for (const frame of ['', '{', 'null', '[]', '{"type":"of_tomorrow","id":"x"}', '{"type":"matching_post"}', 'pong'])
      push(frame);
    push(matchMessage);
    expect(await screen.findByRole('dialog')).toHaveTextContent('Found a NIDA card');
  });

  test('confetti falls for 60 seconds behind a match notice', async () => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
      shouldAdvanceTime: true,
    });
    const { heard, push } = serveLive();
    await renderLive();
    await vi.waitFor(() => expect(heard.connections).toHaveLength(1));
    push(matchMessage);
    await vi.waitFor(() => expect(confetti.showers.length).toBeGreaterThan(0));
    await vi.advanceTimersByTimeAsync(50_000);
    const thrown = confetti.showers.length;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(confetti.showers.length).toBeGreaterThan(thrown);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(confetti.resets).toBe(1);
    const last = confetti.showers.length;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(confetti.showers.length).toBe(last);
    expect(screen.getByRole('dialog')).toBeInTheDocument();
  });

  test('the confetti of a match notice uses no web worker, and is removed when the user closes the notice', async () => {
    const { heard, push } = serveLive();
    const { user } = await renderLive();
    await connected(heard);
    expect(confetti.options).toEqual([]);
    push(matchMessage);
    await waitFor(() => expect(confetti.showers.length).toBeGreaterThan(0));
    expect(confetti.options).toMatchObject([{ useWorker: false, disableForReducedMotion: true }]);
    expect(screen.getByRole('dialog').querySelector('canvas')).not.toBeNull();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(confetti.resets).toBe(1);
  });

  test('under reduced motion no confetti falls', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true }));
    const { heard, push } = serveLive();
    await renderLive();
    await connected(heard);
    push(matchMessage);
    expect((await screen.findByRole('dialog')).querySelector('canvas')).toBeNull();
    expect(confetti.options).toEqual([]);
  });

  test('a lost live connection reopens after 5 seconds, or when the network returns', async () => {
    holdTime();
    const { heard } = serveLive();
    await renderLive();
    await vi.waitFor(() => expect(heard.connections).toHaveLength(1));
    act(() => heard.connections[0]?.close(1012));
    await vi.waitFor(() => expect(console.warn).toHaveBeenCalled());
    await vi.advanceTimersByTimeAsync(4_500);
    expect(heard.tickets).toBe(1);
    await vi.advanceTimersByTimeAsync(500);
    await vi.waitFor(() => expect(heard.connections).toHaveLength(2));
    act(() => heard.connections[1]?.close(1012));
    await vi.waitFor(() => expect(console.warn).toHaveBeenCalledTimes(2));
    fireEvent(window, new Event('online'));
    await vi.waitFor(() => expect(heard.connections).toHaveLength(3));
  });

  test('if the server closes the socket because of a revoked session token, the session ends and no socket opens again', async () => {
    const { heard } = serveLive();
    await renderLive();
    await connected(heard);
    act(() => heard.connections[0]?.close(CLOSE_SIGNED_OUT));
    await waitFor(() => expect(getSession()).toBeNull());
    fireEvent(window, new Event('online'));
    expect(heard.tickets).toBe(1);
  });

  test('if the server closes the socket because the user has too many sockets, a new socket opens when the page becomes visible again', async () => {
    const { heard } = serveLive();
    await renderLive();
    await connected(heard);
    act(() => heard.connections[0]?.close(CLOSE_CROWDED_OUT));
    fireEvent(document, new Event('visibilitychange'));
    await waitFor(() => {
      fireEvent(document, new Event('visibilitychange'));
      expect(heard.connections).toHaveLength(2);
    });
    expect(console.warn).not.toHaveBeenCalled();
  });

  test.each([
    ['en', 'Notices: 3 unread'],
    ['sw', 'Arifa: 3 hazijasomwa'],
  ] as const)('in the language %s, the bell shows the number of unread notices', async (language, label) => {
    serveLive({ unread: 3 });
    await renderLive({ language });
    expect(await screen.findByRole('link', { name: label })).toHaveAttribute('href', '/notices');
  });
});

const schema = z.object({ title: z.string() });

function Form() {
  const { form, field } = useForm({ schema, initial: { title: '' } });
  return (
    <form ref={form}>
      <TextField label="Title" {...field('title')} />
    </form>
  );
}

describe('notices that arrive while a form is filled in', () => {
  const MATCH = 'A Matching Post Found!';
  const REJECTION = 'Your community was not approved';

  /** Fills in part of a form, then receives a notice. */
  async function openFormWithNews(language: 'en' | 'sw' = 'en') {
    const { heard, push } = serveLive();
    const view = await renderLive({ language });
    const form = render(<Form />);
    render(<OfflineBars />);
    await waitFor(() => expect(heard.connections).toHaveLength(1));
    const field = screen.getByLabelText('Title');
    await view.user.type(field, 'Pochi');
    push(matchMessage);
    return { ...view, push, form, field };
  }

  const bar = () => within(screen.getAllByRole('status').at(-1) as HTMLElement);
  const showNow = () => bar().getByRole('button', { name: 'Show now' });

  test.each([
    ['en', '1 notice is waiting.', '2 notices are waiting.', 'Show now', MATCH],
    ['sw', 'Arifa 1 inasubiri.', 'Arifa 2 zinasubiri.', 'Onyesha sasa', 'Tangazo Linalofanana Limepatikana!'],
  ] as const)(
    'a bar in the language %s shows how many notices wait, and its button shows the notices',
    async (language, one, two, show, title) => {
      const { user, push, field } = await openFormWithNews(language);
      expect(await screen.findByText(one)).toBeInTheDocument();
      push(rejectionMessage);
      expect(await screen.findByText(two)).toBeInTheDocument();
      expect(screen.queryByRole('dialog')).toBeNull();
      const button = screen.getByRole('button', { name: show });
      await user.click(button);
      // A tap on the button must leave the focus in the form, so that the form gets the focus back when the dialog
      // closes.
      expect(button).not.toHaveFocus();
      expect(await screen.findByRole('dialog', { name: title })).toBeInTheDocument();
      expect(field).toHaveValue('Pochi');
      expect(screen.queryByText(two)).toBeNull();
      expect(screen.queryByText(one)).toBeNull();
    },
  );

  test('pressing “Show now” shows all waiting notices, and notices that arrive later wait', async () => {
    const { user, push } = await openFormWithNews();
    await screen.findByText('1 notice is waiting.');
    push(rejectionMessage);
    await screen.findByText('2 notices are waiting.');
    await user.click(showNow());
    for (const name of [MATCH, REJECTION]) {
      const dialog = within(await screen.findByRole('dialog', { name }));
      await user.click(dialog.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
    }
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    push({ ...matchMessage, id: 'notice-3', pair_id: 'pair-3' });
    expect(await screen.findByText('1 notice is waiting.')).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test.each([
    ['is closed', ({ form }: Opened) => form.unmount()],
    ['is empty again', ({ user, field }: Opened) => user.clear(field)],
  ])('waiting notices are shown once the form %s', async (_how, end) => {
    const opened = await openFormWithNews();
    await screen.findByText('1 notice is waiting.');
    await end(opened);
    expect(await screen.findByRole('dialog', { name: MATCH })).toBeInTheDocument();
    expect(screen.queryByText('1 notice is waiting.')).toBeNull();
  });

  type Opened = Awaited<ReturnType<typeof openFormWithNews>>;

  test('while a dialog is open above the form, the number of waiting notices is shown only in the dialog', async () => {
    await openFormWithNews();
    await screen.findByText('1 notice is waiting.');
    const dialog = render(
      <Dialog title="A question" onClose={() => undefined}>
        <p>Sure?</p>
      </Dialog>,
    );
    const held = '1 notice is waiting until you close this.';
    expect(await within(screen.getByRole('dialog')).findByText(held)).toBeInTheDocument();
    expect(screen.queryByText('1 notice is waiting.')).toBeNull();
    dialog.unmount();
    expect(await screen.findByText('1 notice is waiting.')).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
