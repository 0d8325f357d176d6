import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CLOSE_CROWDED_OUT, CLOSE_SIGNED_OUT } from '#contract/live-messages.ts';
import { getSession } from '#web/lib/session.ts';
import { matchMessage, rejectionMessage, renderLive, serveLive } from './support/live.tsx';
import { server } from './support/setup.ts';

const confetti = vi.hoisted(() => ({ thrown: 0, resets: 0, options: [] as unknown[] }));
vi.mock('canvas-confetti', () => ({
  default: {
    create: (_canvas: unknown, options: unknown) => {
      confetti.options.push(options);
      return Object.assign(() => void confetti.thrown++, { reset: () => void confetti.resets++ });
    },
  },
}));

beforeEach(() => {
  Object.assign(confetti, { thrown: 0, resets: 0, options: [] });
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
  'a matching post is shown live in %s, with its reasons and what to do',
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

test('closing a notice marks it read and shows the next, one at a time', async () => {
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
] as const)('in %s a password that was changed is told as it happens', async (language, title, close) => {
  const { heard, push } = serveLive();
  const { user } = await renderLive({ language });
  await connected(heard);
  push({ type: 'password_changed', id: 'notice-9', created_at: '2026-11-21T05:05:00.000Z' });
  const modal = await screen.findByRole('dialog', { name: title });
  await user.click(within(modal).getByRole('button', { name: close }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('an approved community leads to its page', async () => {
  const { heard, push } = serveLive();
  await renderLive();
  await connected(heard);
  push({ ...rejectionMessage, type: 'community_approved', reason: null });
  const modal = await screen.findByRole('dialog', { name: 'Your community is approved' });
  expect(within(modal).getByRole('link')).toHaveAttribute('href', '/community-details/a-community');
});

test('a notice that this browser has shown is acknowledged and not shown again, also after a reload', async () => {
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

test('a notice that comes while the page is hidden waits, unacknowledged, until the reader is back', async () => {
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

test('"Not this one" tells the server, says that it is done and closes', async () => {
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
  ['sw', 'Kuna mtu anayedhani ni hiki', 'Si hiki', 'Sawa. Hatutakuonyesha tena kuwa tangazo hilo linafanana na lako.'],
] as const)(
  'what somebody else thinks is named so in %s, and is dismissed for the reader alone',
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

test('"Not this one" answered after its notice was closed leaves the next one open', async () => {
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

test('"Not this one" that could not be saved says so and leaves the notice open', async () => {
  const { heard, push } = serveLive();
  server.use(http.post('*/api/notices/:id/dismiss', () => HttpResponse.json({ code: 'unavailable' }, { status: 503 })));
  const { user } = await renderLive();
  await connected(heard);
  push(matchMessage);
  await user.click(await screen.findByRole('button', { name: 'Not this one' }));
  // In the dialog, for everything outside of a modal is out of reach.
  const modal = screen.getByRole('dialog');
  expect(await within(modal).findByRole('alert')).toHaveTextContent(
    'Your answer could not be saved. Please try again.',
  );
});

test('what is no message changes nothing', async () => {
  const { heard, push } = serveLive();
  await renderLive();
  await connected(heard);
  for (const frame of ['', '{', 'null', '[]', '{"type":"of_tomorrow","id":"x"}', '{"type":"matching_post"}', 'pong'])
    push(frame);
  push(matchMessage);
  expect(await screen.findByRole('dialog')).toHaveTextContent('Found a NIDA card');
});

test('confetti falls for 60 seconds and no longer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'], shouldAdvanceTime: true });
  const { heard, push } = serveLive();
  await renderLive();
  await vi.waitFor(() => expect(heard.connections).toHaveLength(1));
  push(matchMessage);
  await vi.waitFor(() => expect(confetti.thrown).toBeGreaterThan(0));
  await vi.advanceTimersByTimeAsync(50_000);
  const thrown = confetti.thrown;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(confetti.thrown).toBeGreaterThan(thrown);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(confetti.resets).toBe(1);
  const last = confetti.thrown;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(confetti.thrown).toBe(last);
  expect(screen.getByRole('dialog')).toBeInTheDocument();
});

test('confetti comes with the notice, without a worker, and ends with it', async () => {
  const { heard, push } = serveLive();
  const { user } = await renderLive();
  await connected(heard);
  expect(confetti.options).toEqual([]);
  push(matchMessage);
  await waitFor(() => expect(confetti.thrown).toBeGreaterThan(0));
  expect(confetti.options).toMatchObject([{ useWorker: false, disableForReducedMotion: true }]);
  expect(screen.getByRole('dialog').querySelector('canvas')).not.toBeNull();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(confetti.resets).toBe(1);
});

test('there is no confetti for those who want less motion', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  const { heard, push } = serveLive();
  await renderLive();
  await connected(heard);
  push(matchMessage);
  expect((await screen.findByRole('dialog')).querySelector('canvas')).toBeNull();
  expect(confetti.options).toEqual([]);
});

test('a lost connection is opened again after 5 seconds, and at once when the network comes back', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
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

test('a socket that was closed because the token is revoked ends the session and is not opened again', async () => {
  const { heard } = serveLive();
  await renderLive();
  await connected(heard);
  act(() => heard.connections[0]?.close(CLOSE_SIGNED_OUT));
  await waitFor(() => expect(getSession()).toBeNull());
  fireEvent(window, new Event('online'));
  expect(heard.tickets).toBe(1);
});

test('a socket that made room for newer ones is opened again only when its reader comes back', async () => {
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
] as const)('the bell says in %s how many notices are unread', async (language, label) => {
  serveLive({ unread: 3 });
  await renderLive({ language });
  expect(await screen.findByRole('link', { name: label })).toHaveAttribute('href', '/notices');
});
