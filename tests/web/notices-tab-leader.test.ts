import { afterEach, expect, test, vi } from 'vitest';
import { leadAmongTabs } from '#web/notices/tab-leader.ts';
import { stubLocks } from './support/locks.ts';

afterEach(() => void vi.unstubAllGlobals());

/** Tabs that ask under one name. @returns who leads, in the order in which they began, and the tabs. */
function openTabs(...names: string[]) {
  const leading: string[] = [];
  const ended: string[] = [];
  const tabs = names.map((name) =>
    leadAmongTabs('patikana-live:asha', () => {
      leading.push(name);
      return () => {
        leading.splice(leading.indexOf(name), 1);
        ended.push(name);
      };
    }),
  );
  return { leading, ended, tabs };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

test('one of all tabs leads, and when it is closed the next one does', async () => {
  stubLocks();
  const { leading, ended, tabs } = openTabs('a', 'b', 'c');
  await settle();
  expect(leading).toEqual(['a']);
  tabs[0]?.stop();
  await settle();
  expect([leading, ended]).toEqual([['b'], ['a']]);
  tabs[1]?.stop();
  await settle();
  expect([leading, ended]).toEqual([['c'], ['a', 'b']]);
});

test('a tab that is closed while it waits never leads', async () => {
  stubLocks();
  const { leading, tabs } = openTabs('a', 'b', 'c');
  await settle();
  tabs[1]?.stop();
  tabs[0]?.stop();
  await settle();
  expect(leading).toEqual(['c']);
});

test('a tab that is closed before its turn has come does not begin', async () => {
  stubLocks();
  const { leading, tabs } = openTabs('a');
  tabs[0]?.stop();
  await settle();
  expect(leading).toEqual([]);
});

test('a tab takes the lead over, and the one that had it stands behind it', async () => {
  stubLocks();
  const { leading, ended, tabs } = openTabs('a', 'b');
  await settle();
  tabs[1]?.takeOver();
  await settle();
  expect([leading, ended]).toEqual([['b'], ['a']]);
  tabs[1]?.stop();
  await settle();
  expect([leading, ended]).toEqual([['a'], ['a', 'b']]);
});

test('a lead that was taken over can be taken back, and is never begun twice', async () => {
  stubLocks();
  const { leading, ended, tabs } = openTabs('a', 'b');
  await settle();
  tabs[0]?.takeOver();
  await settle();
  expect([leading, ended]).toEqual([['a'], []]);
  tabs[1]?.takeOver();
  await settle();
  tabs[0]?.takeOver();
  await settle();
  expect(leading).toEqual(['a']);
  tabs[0]?.stop();
  await settle();
  expect(leading).toEqual(['b']);
});

test('a closed tab takes over nothing', async () => {
  stubLocks();
  const { leading, tabs } = openTabs('a', 'b');
  await settle();
  tabs[1]?.stop();
  tabs[1]?.takeOver();
  await settle();
  expect(leading).toEqual(['a']);
});

test('where the browser has no locks every tab leads itself, until it is closed', async () => {
  const { leading, ended, tabs } = openTabs('a', 'b');
  expect(leading).toEqual(['a', 'b']);
  tabs[0]?.takeOver();
  tabs[0]?.stop();
  await settle();
  expect([leading, ended]).toEqual([['b'], ['a']]);
});

test('so it does where tabs cannot talk to each other', () => {
  stubLocks();
  vi.stubGlobal('BroadcastChannel', undefined);
  Reflect.deleteProperty(window, 'BroadcastChannel');
  expect(openTabs('a', 'b').leading).toEqual(['a', 'b']);
});
