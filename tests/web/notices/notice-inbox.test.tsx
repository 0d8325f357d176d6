import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LiveMessage, NoticesEndedFrame } from '#contract/live-messages.ts';
import type { Notice } from '#contract/notices.ts';
import { aClaim } from '#tests/web/support/claims.ts';
import { matchMessage, rejectionMessage, renderLive, serveLive } from '#tests/web/support/notices.tsx';
import { stubLocks } from '#tests/web/support/phone.ts';
import { servePush, stubPushBrowser } from '#tests/web/support/push.ts';
import { server } from '#tests/web/support/setup.ts';
import { queryClient } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { signInAs, signOut } from '#web/api/session.ts';
import { NoticeInbox, reserveNotice, wasShown } from '#web/notices/notice-inbox.ts';

describe('the notice inbox of a browser tab', () => {
  const ENDED = { type: 'notices_ended' as const, ids: ['notice-2'] };
  const endings: (() => void)[] = [];

  beforeEach(() => signInAs({ token: 'a-token', userId: 'a-user' }));
  afterEach(() => {
    for (const end of endings.splice(0)) end();
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  /** A tab of the user's browser. */
  function openTab(userId = 'a-user') {
    const told = { news: 0, ended: 0 };
    const inbox = new NoticeInbox(
      userId,
      () => told.news++,
      () => told.ended++,
    );
    const end = inbox.open();
    endings.push(end);
    const shown = () => inbox.state.get().current?.id ?? null;
    const waiting = () => inbox.state.get().waiting.map(({ id }) => id);
    return { inbox, told, shown, waiting, close: end };
  }

  /** Hides the page. @returns a function that shows or hides the page, and fires the browser's event. */
  function hide() {
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    return (state: 'visible' | 'hidden') => {
      visibility.mockReturnValue(state);
      document.dispatchEvent(new Event('visibilitychange'));
    };
  }

  async function connected(heard: { connections: unknown[] }, count = 1) {
    await waitFor(() => expect(heard.connections).toHaveLength(count));
  }

  async function openTwoTabs() {
    stubLocks();
    const server = serveLive();
    const first = openTab();
    await connected(server.heard);
    const second = openTab();
    await connected(server.heard, 2);
    const pushToBoth = (message: LiveMessage | NoticesEndedFrame) => {
      for (const connection of server.heard.connections) connection.send(JSON.stringify(message));
    };
    return { ...server, pushToBoth, tabs: [first, second] as const };
  }

  test('has its own live connection, and only one of two open tabs shows a notice', async () => {
    const { heard, pushToBoth, tabs } = await openTwoTabs();
    pushToBoth(matchMessage);
    await waitFor(() => expect(tabs.map(({ shown }) => shown())).toContain('notice-1'));
    await waitFor(() => expect(tabs.map(({ waiting }) => waiting())).toEqual([[], []]));
    expect(tabs.map(({ shown }) => shown())).toContain(null);
    expect(tabs.map(({ told }) => told.news)).toEqual([1, 1]);
    await waitFor(() => expect(heard.acknowledged).toContain('notice-1'));
    expect([heard.connections.length, heard.tickets]).toEqual([2, 2]);
  });

  test('removes a waiting notice that the user has read on another device', async () => {
    const setVisibility = hide();
    const { pushToBoth, tabs } = await openTwoTabs();
    pushToBoth(matchMessage);
    pushToBoth(rejectionMessage);
    for (const tab of tabs) await waitFor(() => expect(tab.waiting()).toEqual(['notice-1', 'notice-2']));
    pushToBoth(ENDED);
    await waitFor(() => expect(tabs.map(({ waiting }) => waiting())).toEqual([['notice-1'], ['notice-1']]));
    expect(tabs.map(({ told }) => told.ended)).toEqual([1, 1]);
    setVisibility('visible');
    await waitFor(() => expect(tabs.map(({ shown }) => shown())).toContain('notice-1'));
  });

  test('removes a waiting notice that another tab has shown, even if the inbox’s tab is hidden', async () => {
    hide();
    const { pushToBoth, tabs } = await openTwoTabs();
    pushToBoth(rejectionMessage);
    for (const tab of tabs) await waitFor(() => expect(tab.waiting()).toEqual(['notice-2']));
    await reserveNotice('a-user', 'notice-2');
    window.dispatchEvent(new StorageEvent('storage', { key: 'shownNotices:a-user' }));
    expect(tabs.map(({ waiting }) => waiting())).toEqual([[], []]);
  });

  test('acknowledges a notice that another tab has shown, but does not show the notice', async () => {
    const { heard, push } = serveLive();
    const tab = openTab();
    await connected(heard);
    await reserveNotice('a-user', 'notice-2');
    push(rejectionMessage);
    await waitFor(() => expect(heard.acknowledged).toEqual(['notice-2']));
    expect([tab.told.news, tab.shown(), tab.waiting()]).toEqual([1, null, []]);
  });

  test('still receives notices after another tab is closed', async () => {
    const { heard, push, tabs } = await openTwoTabs();
    const [first, second] = tabs;
    first.close();
    push(rejectionMessage);
    await waitFor(() => expect(second.shown()).toBe('notice-2'));
    await waitFor(() => expect(heard.acknowledged).toEqual(['notice-2']));
    expect([first.told.news, first.shown()]).toEqual([0, null]);
  });

  test('shows a notice only once if the notice arrives twice, and then the next notice', async () => {
    const { heard, push } = serveLive();
    const { inbox, shown, waiting, told } = openTab();
    await connected(heard);
    const third: LiveMessage = { ...rejectionMessage, id: 'notice-3' };
    for (const message of [matchMessage, rejectionMessage, matchMessage, rejectionMessage, third]) push(message);
    await waitFor(() => expect([shown(), waiting()]).toEqual(['notice-1', ['notice-2', 'notice-3']]));
    expect(told.news).toBe(3);
    inbox.next();
    await waitFor(() => expect([shown(), waiting()]).toEqual(['notice-2', ['notice-3']]));
    expect(told.ended).toBe(0);
  });

  test('no longer calls a removed listener', async () => {
    const { heard, push } = serveLive();
    const { inbox, shown } = openTab();
    await connected(heard);
    const calls = { kept: 0, ended: 0 };
    inbox.state.on(() => calls.kept++);
    inbox.state.on(() => calls.ended++)();
    push(matchMessage);
    await waitFor(() => expect(shown()).toBe('notice-1'));
    expect([calls.kept > 0, calls.ended]).toEqual([true, 0]);
  });

  test('shows no more notices after it was closed', async () => {
    const setVisibility = hide();
    const { heard, push } = serveLive();
    const { waiting, shown, close } = openTab();
    await connected(heard);
    push(matchMessage);
    await waitFor(() => expect(waiting()).toEqual(['notice-1']));
    close();
    setVisibility('visible');
    await Promise.resolve();
    expect([shown(), waiting(), heard.acknowledged]).toEqual([null, ['notice-1'], []]);
  });
});

const NOTICE: Notice = {
  message: rejectionMessage,
  noticed_at: rejectionMessage.created_at,
  read_at: null,
  is_open: true,
};

async function connected(heard: { connections: unknown[] }) {
  await waitFor(() => expect(heard.connections).toHaveLength(1));
}

const bell = (name: string) => screen.findByRole('link', { name, hidden: true });

test('closing a notice lowers the bell’s number of unread notices only if the server could mark the notice as read', async () => {
  const { heard, push } = serveLive({ unread: 2 });
  const { user } = await renderLive();
  await connected(heard);
  push(rejectionMessage);
  push({ ...rejectionMessage, id: 'notice-3' });
  const close = async () => {
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  };
  await screen.findByText('1 more notice is waiting');
  server.use(
    http.post('*/api/notices/read', () => HttpResponse.json({ code: 'unavailable' }, { status: 503 }), { once: true }),
  );
  await close();
  await waitFor(() => expect(screen.queryByText('1 more notice is waiting')).toBeNull());
  expect(await bell('Notices: 2 unread')).toBeInTheDocument();
  server.use(http.post('*/api/notices/read', () => HttpResponse.json({ unread_count: 1 })));
  await close();
  expect(await bell('Notices: 1 unread')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('logging out removes the bell, and after the next sign-in the bell does not show the old number of notices', async () => {
  const { heard } = serveLive({ unread: 3 });
  const { unmount } = await renderLive();
  await connected(heard);
  await bell('Notices: 3 unread');
  signOut();
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Notices/ })).toBeNull());
  unmount();
  serveLive({ unread: 0 });
  await renderLive();
  expect(await bell('Notices')).toBeInTheDocument();
});

test('the number at the bell also counts each claim that waits for the user and has no unread notice', async () => {
  const { heard } = serveLive();
  const told: Notice = {
    ...NOTICE,
    message: {
      type: 'claim_received',
      id: 'notice-5',
      claim_id: 'told',
      post_id: 'post-1',
      title: 'Pochi',
      created_at: NOTICE.noticed_at,
    },
  };
  const read: Notice = {
    ...told,
    read_at: NOTICE.noticed_at,
    message: { ...told.message, claim_id: 'untold' } as never,
  };
  server.use(
    http.get('*/api/notices', () => HttpResponse.json({ unread_count: 1, notices: [told, read] })),
    http.get('*/api/claims', () => HttpResponse.json([aClaim({ id: 'told' }), aClaim({ id: 'untold' })])),
  );
  await renderLive();
  await connected(heard);
  expect(await bell('2 notices and claims wait for you')).toBeInTheDocument();
});

test('a notice that was read on another device is removed from this device’s lock screen, and an unread notice stays there', async () => {
  const { seen } = stubPushBrowser({ permission: 'granted' });
  servePush();
  const { heard } = serveLive();
  const notices = [NOTICE, { ...NOTICE, read_at: NOTICE.noticed_at, message: { ...rejectionMessage, id: 'notice-7' } }];
  server.use(http.get('*/api/notices', () => HttpResponse.json({ unread_count: 1, notices })));
  await renderLive();
  await connected(heard);
  await waitFor(() => expect(seen.posted).toContainEqual({ type: 'notices-ended', ids: ['notice-7'] }));
  expect(JSON.stringify(seen.posted)).not.toContain(rejectionMessage.id);
});

test.each([
  ['notices', queryKeys.notices],
  ['the account', queryKeys.me],
  ['claims', queryKeys.claims.list],
  ['matches', queryKeys.matches.counts],
  ['communities', queryKeys.communities.own('')],
  ['posts', queryKeys.posts.own('a-user')],
] as const)(
  'a new notice invalidates the cached data of %s, so that the app refetches them',
  async (_what, queryKey) => {
    const { heard, push } = serveLive();
    await renderLive();
    await connected(heard);
    if (queryKey !== queryKeys.notices && queryKey !== queryKeys.claims.list) queryClient.setQueryData(queryKey, {});
    await waitFor(() => expect(queryClient.getQueryState(queryKey)?.dataUpdateCount).toBe(1));
    push(rejectionMessage);
    await waitFor(() => {
      const state = queryClient.getQueryState(queryKey);
      expect(state?.isInvalidated || (state?.dataUpdateCount ?? 0) > 1).toBe(true);
    });
    expect(await screen.findByRole('dialog')).toBeInTheDocument();
  },
);

test('when a notice is read on another device, the list of notices is refetched only if the list has unread notices', async () => {
  const { heard, push } = serveLive();
  let [asked, unread] = [0, 0];
  server.use(
    http.get('*/api/notices', () => {
      asked++;
      return HttpResponse.json({ unread_count: unread, notices: [NOTICE] });
    }),
  );
  await renderLive();
  await connected(heard);
  await waitFor(() => expect(asked).toBe(1));
  push({ type: 'notices_ended', ids: ['notice-2'] });
  unread = 1;
  push({ ...matchMessage, confidence: 'possible' });
  expect(await bell('Notices: 1 unread')).toBeInTheDocument();
  expect(asked).toBe(2);
  unread = 0;
  push({ type: 'notices_ended', ids: ['notice-2'] });
  expect(await bell('Notices')).toBeInTheDocument();
  expect(asked).toBe(3);
});

test.each(['locks', 'no locks'])(
  'a notice is shown only once to each user of a browser, with or without the Web Locks API (%s)',
  async (have) => {
    if (have === 'locks') stubLocks();
    expect(wasShown('asha', 'notice-1')).toBe(false);
    expect(await reserveNotice('asha', 'notice-1')).toBe(true);
    expect(await reserveNotice('asha', 'notice-1')).toBe(false);
    expect([wasShown('asha', 'notice-1'), wasShown('juma', 'notice-1')]).toEqual([true, false]);
    expect(await reserveNotice('juma', 'notice-1')).toBe(true);
    expect(await reserveNotice('asha', 'notice-2')).toBe(true);
    expect([wasShown('asha', 'notice-1'), wasShown('asha', 'notice-2')]).toEqual([true, true]);
  },
);

test('if two tabs try to show the same notice at once, only one of them may show it', async () => {
  stubLocks();
  expect(await Promise.all([reserveNotice('asha', 'notice-1'), reserveNotice('asha', 'notice-1')])).toEqual([
    true,
    false,
  ]);
});

test('a notice that one tab has reserved is not shown in another tab, even if the browser’s storage was cleared', async () => {
  stubLocks();
  await reserveNotice('asha', 'notice-1');
  localStorage.clear();
  expect(await reserveNotice('asha', 'notice-1')).toBe(false);
  expect(await reserveNotice('juma', 'notice-1')).toBe(true);
});

test('if two notices are shown at once, the record of shown notices contains both', async () => {
  stubLocks();
  await Promise.all([reserveNotice('asha', 'notice-1'), reserveNotice('asha', 'notice-2')]);
  expect([wasShown('asha', 'notice-1'), wasShown('asha', 'notice-2')]).toEqual([true, true]);
});

test('only the latest 300 notices are recorded as shown', async () => {
  for (let number = 0; number <= 300; number++) await reserveNotice('asha', `notice-${number}`);
  expect([0, 1, 300].map((number) => wasShown('asha', `notice-${number}`))).toEqual([false, true, true]);
});

test.each(['{', '7', '{"length":1}', 'null'])(
  'an invalid stored record of shown notices counts as empty: %s',
  async (stored) => {
    localStorage.setItem('shownNotices:asha', stored);
    expect(wasShown('asha', 'notice-1')).toBe(false);
    expect(await reserveNotice('asha', 'notice-1')).toBe(true);
    expect(wasShown('asha', 'notice-1')).toBe(true);
  },
);

test('a notice is shown even if the browser’s storage refuses to record it', async () => {
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('', 'QuotaExceededError');
  });
  expect(await reserveNotice('asha', 'notice-1')).toBe(true);
  full.mockRestore();
});
