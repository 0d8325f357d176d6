import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveMessage } from '#contract/live-messages.ts';
import { signInAs } from '#web/lib/session.ts';
import { NoticeInbox } from '#web/notices/notice-inbox.ts';
import { matchMessage, rejectionMessage, serveLive } from './support/live.tsx';
import { stubLocks } from './support/locks.ts';

const ENDED = { type: 'notices_ended' as const, ids: ['notice-2'] };
const endings: (() => void)[] = [];

beforeEach(() => signInAs({ token: 'a-token', userId: 'a-user' }));
afterEach(() => {
  for (const end of endings.splice(0)) end();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A tab of the reader's browser. */
function openTab(userId = 'a-user') {
  const told = { news: 0, ended: 0 };
  const inbox = new NoticeInbox(
    userId,
    () => told.news++,
    () => told.ended++,
  );
  const end = inbox.open();
  endings.push(end);
  const shown = () => inbox.getState().current?.id ?? null;
  const waiting = () => inbox.getState().waiting.map(({ id }) => id);
  return { inbox, told, shown, waiting, close: end };
}

/** Whether the page is in sight. What looks at it is told by `look`. */
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
  const leader = openTab();
  await connected(server.heard);
  const other = openTab();
  return { ...server, leader, other };
}

test('of two tabs one has the connection, and a notice is shown in one of them alone', async () => {
  const { heard, push, leader, other } = await openTwoTabs();
  push(matchMessage);
  await waitFor(() => expect([leader.shown(), other.shown()]).toContain('notice-1'));
  await waitFor(() => expect([leader.waiting(), other.waiting()]).toEqual([[], []]));
  expect([leader.shown(), other.shown()]).toContain(null);
  expect(leader.told.news).toBe(1);
  await waitFor(() => expect(heard.acknowledged).toContain('notice-1'));
  expect([heard.connections.length, heard.tickets]).toEqual([1, 1]);
});

test('what was read elsewhere waits in no tab any more', async () => {
  const setVisibility = hide();
  const { push, leader, other } = await openTwoTabs();
  push(matchMessage);
  push(rejectionMessage);
  await waitFor(() => expect(other.waiting()).toEqual(['notice-1', 'notice-2']));
  push(ENDED);
  await waitFor(() => expect([leader.waiting(), other.waiting()]).toEqual([['notice-1'], ['notice-1']]));
  expect([leader.told.ended, other.told.ended]).toEqual([1, 1]);
  setVisibility('visible');
  await waitFor(() => expect([leader.shown(), other.shown()]).toContain('notice-1'));
});

test('a tab that is opened is given what waits in one that nobody looks at, and has it acknowledged', async () => {
  stubLocks();
  const { heard, push } = serveLive();
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const leader = openTab();
  await connected(heard);
  push(rejectionMessage);
  await waitFor(() => expect(leader.waiting()).toEqual(['notice-2']));
  expect(heard.acknowledged).toEqual([]);
  // Only the new one is told that it is in sight, as it begins.
  visibility.mockReturnValue('visible');
  const other = openTab();
  await waitFor(() => expect(other.shown()).toBe('notice-2'));
  await waitFor(() => expect(heard.acknowledged).toEqual(['notice-2']));
  expect(leader.shown()).toBeNull();
});

test('a leader that is awake keeps the lead from a tab that asks for it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const { heard, other } = await openTwoTabs();
  await vi.advanceTimersByTimeAsync(5_000);
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(5_000);
  expect([heard.connections.length, other.shown()]).toEqual([1, null]);
});

/** A tab that the browser has put to sleep, with the lead still in its hands. */
function sleepWithTheLead(): { wasStolen: () => boolean } {
  let isStolen = false;
  navigator.locks
    .request('patikana-live:a-user', () => new Promise(() => undefined))
    .catch(() => {
      isStolen = true;
    });
  return { wasStolen: () => isStolen };
}

test('from a leader that is asleep the lead is taken after two seconds, by a tab that somebody looks at', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  stubLocks();
  const { heard, push } = serveLive();
  const setVisibility = hide();
  const leader = sleepWithTheLead();
  const tab = openTab();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(leader.wasStolen()).toBe(false);
  setVisibility('visible');
  await vi.advanceTimersByTimeAsync(1_500);
  expect(leader.wasStolen()).toBe(false);
  await vi.advanceTimersByTimeAsync(700);
  expect(leader.wasStolen()).toBe(true);
  await vi.waitFor(() => expect(heard.connections).toHaveLength(1));
  push(matchMessage);
  await vi.waitFor(() => expect(tab.shown()).toBe('notice-1'));
});

test('a tab that is closed meanwhile takes no lead', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  stubLocks();
  const { heard } = serveLive();
  const leader = sleepWithTheLead();
  openTab().close();
  await vi.advanceTimersByTimeAsync(5_000);
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(5_000);
  expect([leader.wasStolen(), heard.tickets]).toEqual([false, 0]);
});

test('when the tab with the connection is closed the other one opens its own', async () => {
  const { heard, push, leader, other } = await openTwoTabs();
  leader.close();
  await connected(heard, 2);
  push(rejectionMessage);
  await waitFor(() => expect(other.shown()).toBe('notice-2'));
  await waitFor(() => expect(heard.acknowledged).toEqual(['notice-2']));
  expect([leader.told.news, leader.shown()]).toEqual([0, null]);
});

test('tabs of another account hear nothing of it', async () => {
  const { push, leader } = await openTwoTabs();
  const stranger = openTab('juma');
  push(matchMessage);
  await waitFor(() => expect(leader.told.news).toBe(1));
  expect([stranger.told.news, stranger.shown(), stranger.waiting()]).toEqual([0, null, []]);
});

test('where tabs cannot talk to each other each has its own connection', async () => {
  vi.stubGlobal('BroadcastChannel', undefined);
  Reflect.deleteProperty(window, 'BroadcastChannel');
  const { heard, push } = serveLive();
  const tabs = [openTab(), openTab()];
  await connected(heard, 2);
  push(matchMessage);
  await waitFor(() => expect(tabs.map(({ shown }) => shown())).toContain('notice-1'));
});

test('a notice that comes twice is one, and whoever is done with it sees the next', async () => {
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

test('whoever stops to listen to an inbox is told nothing more', async () => {
  const { heard, push } = serveLive();
  const { inbox, shown } = openTab();
  await connected(heard);
  const calls = { kept: 0, ended: 0 };
  inbox.subscribe(() => calls.kept++);
  inbox.subscribe(() => calls.ended++)();
  push(matchMessage);
  await waitFor(() => expect(shown()).toBe('notice-1'));
  expect([calls.kept > 0, calls.ended]).toEqual([true, 0]);
});

test('an inbox that is closed shows nothing that still waits', async () => {
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
