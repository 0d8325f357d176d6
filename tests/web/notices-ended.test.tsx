import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { CLOSE_SIGNED_OUT } from '#contract/live-messages.ts';
import type { Notice } from '#contract/notices.ts';
import { getSession, replaceToken } from '#web/lib/session.ts';
import { matchMessage, rejectionMessage, renderLive, serveLive } from './support/live.tsx';
import { refuse } from './support/posts.ts';
import { stubPushBrowser } from './support/push-browser.ts';
import { servePush } from './support/push-server.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const A_NOTICE: Notice = {
  noticed_at: '2026-11-21T05:05:00.000Z',
  read_at: null,
  is_open: true,
  message: matchMessage,
};

/** The reader has allowed notifications. @returns what the service worker was told to take down. */
function listenToWorker() {
  const { seen } = stubPushBrowser({ permission: 'granted' });
  servePush();
  return () => seen.posted.filter((message) => (message as { type: string }).type === 'notices-ended');
}

test('a notice that is shown by a page leaves the lock screen', async () => {
  const ended = listenToWorker();
  const { heard, push } = serveLive();
  await renderLive();
  await waitFor(() => expect(heard.connections).toHaveLength(1));
  push(rejectionMessage);
  await screen.findByRole('dialog');
  await waitFor(() => expect(ended()).toContainEqual({ type: 'notices-ended', ids: ['notice-2'] }));
});

test('what was read on another phone leaves this one, and does not come up any more', async () => {
  const ended = listenToWorker();
  const { heard, push } = serveLive({ unread: 2 });
  let asked = 0;
  server.use(
    http.get('*/api/notices', () => {
      asked++;
      return HttpResponse.json({ unread_count: asked > 2 ? 0 : 2, notices: [] });
    }),
  );
  const { user } = await renderLive();
  await waitFor(() => expect(heard.connections).toHaveLength(1));
  push(rejectionMessage);
  await screen.findByRole('dialog', { name: 'Your community was not approved' });
  push({ ...matchMessage, id: 'notice-9' });
  expect(await screen.findByText('1 more notice is waiting')).toBeInTheDocument();
  push({ type: 'notices_ended', ids: ['notice-9'] });
  await waitFor(() => expect(screen.queryByText('1 more notice is waiting')).toBeNull());
  expect(ended()).toContainEqual({ type: 'notices-ended', ids: ['notice-9'] });
  await user.click(screen.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(await screen.findByRole('link', { name: 'Notices' })).toBeInTheDocument();
});

test('a socket that was closed with a token since replaced is opened again with the new one', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { heard } = serveLive();
  await renderLive();
  await waitFor(() => expect(heard.connections).toHaveLength(1));
  await act(() => replaceToken(async () => 'another-token'));
  act(() => heard.connections[0]?.close(CLOSE_SIGNED_OUT));
  await waitFor(() => expect(heard.connections).toHaveLength(2));
  expect(getSession()?.token).toBe('another-token');
});

test.each([
  ['sure', ['notice-1'], [], 'Done. We will not show you these two posts together again.'],
  ['possible', [], ['pair-1'], 'Done. We will not show you that post as a match again.'],
] as const)(
  '"Not this one" on a notification dismisses a %s match once, and leaves the address',
  async (confidence, notices, pairs, said) => {
    const { heard } = serveLive();
    server.use(
      http.get('*/api/notices', () =>
        HttpResponse.json({ unread_count: 0, notices: [{ ...A_NOTICE, message: { ...matchMessage, confidence } }] }),
      ),
    );
    const { router } = await renderScreen({ pathname: '/notices', search: '?dismiss=notice-1' }, { isSignedIn: true });
    await waitFor(() => expect([heard.dismissed, heard.dismissedPairs]).toEqual([notices, pairs]));
    await waitFor(() => expect(router.state.location.search).toBe(''));
    expect(await screen.findByText(said)).toBeInTheDocument();
    expect([heard.dismissed, heard.dismissedPairs]).toEqual([notices, pairs]);
  },
);

test.each([
  ['en', 'Your answer could not be saved. Please try again.'],
  ['sw', 'Jibu lako halikuweza kuhifadhiwa. Tafadhali jaribu tena.'],
] as const)('in %s a dismissal that fails is said', async (language, failed) => {
  serveLive();
  server.use(http.post('*/api/notices/:id/dismiss', () => refuse(404, 'not_found')));
  await renderScreen({ pathname: '/notices', search: '?dismiss=gone' }, { language, isSignedIn: true });
  expect(await screen.findByText(failed)).toBeInTheDocument();
});
