import { render, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { signInAs } from '#web/lib/session.ts';
import { OfflineBars } from '#web/offline/offline-bars.tsx';
import { KEY, stubPushBrowser } from './support/push-browser.ts';
import { servePush } from './support/push-server.ts';
import { stubWorkerBrowser } from './support/worker-browser.ts';

const ASHA = { token: 'ashas-token', userId: 'asha' };

/** @returns what the service worker was told of this visit. */
async function open() {
  const resources = ['http://localhost:8787/assets/a.js?v=2', 'https://elsewhere.example/b.js'];
  const loaded = vi.spyOn(performance, 'getEntriesByType').mockImplementation((type) => {
    return (type === 'resource' ? resources : []).map((name) => ({ name }) as PerformanceEntry);
  });
  onTestFinished(() => loaded.mockRestore());
  const { active } = stubWorkerBrowser();
  render(<OfflineBars />);
  await waitFor(() => expect(active.heard).not.toEqual([]));
  return active.heard;
}

const KEEP = { type: 'keep', urls: ['/assets/a.js'] };

test('what a visitor’s page has loaded from here is kept for a visit without a network', async () => {
  expect(await open()).toEqual([KEEP]);
});

test('for those who may post, what posting without a network takes is kept too', async () => {
  signInAs(ASHA);
  expect(await open()).toEqual([KEEP, { type: 'keep-all' }]);
});

test('but not on a phone that saves data', async () => {
  Object.defineProperty(navigator, 'connection', { configurable: true, value: { saveData: true } });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'connection'));
  signInAs(ASHA);
  expect(await open()).toEqual([KEEP]);
});

test('nor for somebody who has asked for less data', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(prefers-reduced-data: reduce)' }));
  onTestFinished(() => void vi.unstubAllGlobals());
  signInAs(ASHA);
  expect(await open()).toEqual([KEEP]);
});

test('pushes of somebody who has signed out are ended as soon as the app is opened', async () => {
  const { endpoint } = stubPushBrowser({
    permission: 'granted',
    subscribed: { endpoint: 'https://push.example/old', key: KEY },
  });
  servePush();
  render(<OfflineBars />);
  await waitFor(() => expect(endpoint()).toBeNull());
});
