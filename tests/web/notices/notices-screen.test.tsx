import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { CLOSE_SIGNED_OUT } from '#contract/live-messages.ts';
import type { Notice } from '#contract/notices.ts';
import { matchMessage, rejectionMessage, renderLive, serveLive } from '#tests/web/support/notices.tsx';
import { refuse } from '#tests/web/support/posts.ts';
import { servePush, stubPushBrowser } from '#tests/web/support/push.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { getSession, replaceToken } from '#web/api/session.ts';

describe('the list of notices', () => {
  const noticed = { noticed_at: '2026-11-21T05:05:00.000Z', read_at: null, is_open: true };
  const newMatch: Notice = { ...noticed, message: matchMessage };
  const closedMatch: Notice = {
    ...noticed,
    message: { ...matchMessage, id: 'notice-3', title: 'Found another card' },
    read_at: '2026-11-21T06:05:00.000Z',
    is_open: false,
  };
  const rejection: Notice = { ...noticed, message: rejectionMessage };

  // A list that appears just before a test ends marks its notices as read during the next test, so each test answers
  // this request.
  beforeEach(() => server.use(http.post('*/api/notices/read', () => HttpResponse.json({ unread_count: 0 }))));

  function serveNotices(notices: Notice[], unread: number) {
    const read: unknown[] = [];
    server.use(
      http.get('*/api/notices', () => HttpResponse.json({ unread_count: unread, notices })),
      http.post('*/api/notices/read', async ({ request }) => {
        read.push(await request.json());
        return HttpResponse.json({ unread_count: 0 });
      }),
    );
    return read;
  }

  test.each([
    ['en', 'Notices', 'New', 'No longer open', 'Reason: Jina halieleweki.'],
    ['sw', 'Arifa', 'Mpya', 'Haliko wazi tena', 'Sababu: Jina halieleweki.'],
  ] as const)(
    'shows past notices in the language %s, and marks them as read when the user opens the list',
    async (language, title, fresh, closed, reason) => {
      const read = serveNotices([newMatch, closedMatch, rejection], 2);
      await renderScreen('/notices', { language, isSignedIn: true });
      expect(await screen.findByRole('heading', { level: 1, name: title })).toBeInTheDocument();
      const cards = await screen.findAllByText(fresh);
      expect(cards).toHaveLength(2);
      expect(screen.getByRole('link', { name: 'Found a NIDA card' })).toHaveAttribute('href', '/posts/found-post');
      const shut = screen.getByText(closed).closest('li') as HTMLElement;
      expect(within(shut).queryByRole('link', { name: 'WhatsApp' })).toBeNull();
      expect(screen.getByText(reason)).toBeInTheDocument();
      await waitFor(() => expect(read).toEqual([{ up_to: 'notice-1' }]));
      expect(screen.getAllByText(fresh)).toHaveLength(2);
    },
  );

  test.each([
    ['en', /^The author of this post thinks that it is the same item/],
    ['sw', /^Aliyetangaza anadhani/],
  ] as const)(
    'says in the language %s that the author of the matching post suggested a possible match',
    async (language, sentence) => {
      const guess = { ...newMatch, message: { ...matchMessage, id: 'notice-4', confidence: 'possible' as const } };
      serveNotices([guess, closedMatch], 0);
      await renderScreen('/notices', { language, isSignedIn: true });
      const card = (await screen.findByText(sentence)).closest('li') as HTMLElement;
      expect(within(card).getByRole('link', { name: 'Found a NIDA card' })).toBeInTheDocument();
      expect(screen.getAllByText(sentence)).toHaveLength(1);
    },
  );

  test('loads older notices on request', async () => {
    serveNotices([], 0);
    server.use(
      http.get('*/api/notices', ({ request }) =>
        new URL(request.url).searchParams.get('cursor') === 'next'
          ? HttpResponse.json({ unread_count: 0, notices: [closedMatch] })
          : HttpResponse.json(
              { unread_count: 0, notices: [newMatch] },
              { headers: { Link: '</api/notices?cursor=next>; rel="next"' } },
            ),
      ),
    );
    const { user } = await renderScreen('/notices', { isSignedIn: true });
    await user.click(await screen.findByRole('button', { name: 'Show older notices' }));
    expect(await screen.findByRole('link', { name: 'Found another card' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Show older notices' })).toBeNull();
  });

  test('shows an error and a retry button if its older notices fail to load', async () => {
    server.use(
      http.get('*/api/notices', ({ request }) =>
        new URL(request.url).searchParams.get('cursor') === 'next'
          ? HttpResponse.json({ code: 'forbidden' }, { status: 403 })
          : HttpResponse.json(
              { unread_count: 0, notices: [newMatch] },
              { headers: { Link: '</api/notices?cursor=next>; rel="next"' } },
            ),
      ),
    );
    const { user } = await renderScreen('/notices', { isSignedIn: true });
    await user.click(await screen.findByRole('button', { name: 'Show older notices' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Your notices could not be loaded.');
    expect(screen.getByRole('link', { name: 'Found a NIDA card' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Show older notices' })).toBeEnabled();
  });

  test('if empty, explains what notices are and marks nothing as read', async () => {
    const read = serveNotices([], 0);
    await renderScreen('/notices', { isSignedIn: true });
    expect(await screen.findByText('No notices yet')).toBeInTheDocument();
    expect(screen.getByText(/^When somebody finds what you lost/)).toBeInTheDocument();
    expect(screen.getByText(/^Posts that match yours/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Post an item' })).toHaveAttribute('href', '/create-post');
    expect(screen.queryByRole('link', { name: /wait for you|waits for you/ })).toBeNull();
    expect(read).toEqual([]);
  });

  test('shows an error and a retry button if it fails to load', async () => {
    server.use(
      http.get('*/api/notices', () => HttpResponse.json({ code: 'forbidden' }, { status: 403 }), { once: true }),
    );
    const { user } = await renderScreen('/notices', { isSignedIn: true });
    expect(await screen.findByRole('alert')).toHaveTextContent('Your notices could not be loaded.');
    serveNotices([newMatch], 0);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: 'Found a NIDA card' })).toBeInTheDocument();
  });

  test.each([
    ['en', 'Log in to see your notices.'],
    ['sw', 'Ingia ili uone arifa zako.'],
  ] as const)('asks a visitor in the language %s to log in', async (language, sentence) => {
    const { user, router } = await renderScreen('/notices', { language });
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    const [login] = screen.getAllByRole('link', { name: language === 'en' ? 'Log in' : 'Ingia' }).slice(-1);
    await user.click(login as HTMLElement);
    expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/notices' } });
  });

  test.each([
    ['en', 'Your password was changed', 'It was not me'],
    ['sw', 'Nenosiri lako limebadilishwa', 'Si mimi'],
  ] as const)(
    'shows, in the language %s, a link to the password reset in the notice about a changed password',
    async (language, title, way) => {
      const message = { type: 'password_changed' as const, id: 'notice-5', created_at: noticed.noticed_at };
      serveNotices([{ ...noticed, message }], 1);
      await renderScreen('/notices', { language, isSignedIn: true });
      expect(await screen.findByRole('heading', { level: 2, name: title })).toBeInTheDocument();
      expect(screen.getByRole('link', { name: way })).toHaveAttribute('href', '/forgot-password');
      expect(
        screen.getByText(/^A new password was set with a verification code|^Nenosiri jipya limewekwa/),
      ).toBeInTheDocument();
    },
  );

  test('does not highlight the link “Post an item” if the list is empty', async () => {
    serveNotices([], 0);
    await renderScreen('/notices', { isSignedIn: true });
    expect(await screen.findByRole('link', { name: 'Post an item' })).not.toHaveClass('bg-accent');
  });

  test('sends no request to mark notices as read if it has no unread notices', async () => {
    const read = serveNotices([closedMatch], 0);
    await renderScreen('/notices', { isSignedIn: true });
    await screen.findByRole('link', { name: 'Found another card' });
    expect(screen.queryByText('New')).toBeNull();
    expect(read).toEqual([]);
  });

  test('is shown even if the server could not mark its notices as read', async () => {
    let tries = 0;
    serveNotices([newMatch], 1);
    server.use(
      http.post('*/api/notices/read', () => {
        tries++;
        return HttpResponse.json({ code: 'unavailable' }, { status: 503 });
      }),
    );
    await renderScreen('/notices', { isSignedIn: true });
    expect(await screen.findByRole('link', { name: 'Found a NIDA card' })).toBeInTheDocument();
    await waitFor(() => expect(tries).toBe(1));
    expect(screen.getByText('New')).toBeInTheDocument();
  });

  test('requests twenty notices at a time', async () => {
    const limits: (string | null)[] = [];
    server.use(
      http.get('*/api/notices', ({ request }) => {
        limits.push(new URL(request.url).searchParams.get('limit'));
        return HttpResponse.json({ unread_count: 0, notices: [newMatch] });
      }),
    );
    await renderScreen('/notices', { isSignedIn: true });
    await screen.findByRole('link', { name: 'Found a NIDA card' });
    expect(new Set(limits)).toEqual(new Set(['20']));
  });
});

const A_NOTICE: Notice = {
  noticed_at: '2026-11-21T05:05:00.000Z',
  read_at: null,
  is_open: true,
  message: matchMessage,
};

/** Allows notifications. @returns a function that returns the requests to the service worker to close notifications. */
function listenToWorker() {
  const { seen } = stubPushBrowser({ permission: 'granted' });
  servePush();
  return () => seen.posted.filter((message) => (message as { type: string }).type === 'notices-ended');
}

test('a notice that the open app shows is removed from the phone’s lock screen', async () => {
  const ended = listenToWorker();
  const { heard, push } = serveLive();
  await renderLive();
  await waitFor(() => expect(heard.connections).toHaveLength(1));
  push(rejectionMessage);
  await screen.findByRole('dialog');
  await waitFor(() => expect(ended()).toContainEqual({ type: 'notices-ended', ids: ['notice-2'] }));
});

test('a notice that was read on another phone is removed from this phone’s lock screen, and no longer counts as waiting', async () => {
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

test('a socket that was closed because the session token was replaced is opened again with the new token', async () => {
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
  'the app, opened from “Not this one” on a notification, dismisses a %s match once and removes “dismiss” from its URL',
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
] as const)(
  'if “Not this one” on a notification cannot be saved, the app shows an error in the language %s',
  async (language, failed) => {
    serveLive();
    server.use(http.post('*/api/notices/:id/dismiss', () => refuse(404, 'not_found')));
    await renderScreen({ pathname: '/notices', search: '?dismiss=gone' }, { language, isSignedIn: true });
    expect(await screen.findByText(failed)).toBeInTheDocument();
  },
);
