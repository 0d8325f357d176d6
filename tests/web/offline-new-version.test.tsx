import { act, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { OfflineBars } from '#web/offline/offline-bars.tsx';
import { startUser } from './support/user.ts';
import { aVersion, stubReload, stubWorkerBrowser, type Version } from './support/worker-browser.ts';

const TEXTS = {
  en: { ready: 'A new version of Patikana is ready.', update: 'Update', later: 'Later' },
  sw: { ready: 'Toleo jipya la Patikana liko tayari.', update: 'Sasisha', later: 'Baadaye' },
};

beforeEach(() => changeLanguage('en'));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const announcement = () => screen.queryByText(TEXTS.en.ready);

async function open() {
  const view = render(<OfflineBars />);
  await act(async () => undefined);
  return { ...view, user: startUser() };
}

async function update(options: { waiting?: Version; installing?: Version }) {
  const browser = stubWorkerBrowser(options);
  const reload = stubReload();
  const { user } = await open();
  return { ...browser, reload, press: () => user.click(screen.getByRole('button', { name: 'Update' })) };
}

test.each(['en', 'sw'] as const)('a version that waits is announced in %s, and can be put off', async (language) => {
  await changeLanguage(language);
  const { workers } = stubWorkerBrowser({ waiting: aVersion('installed') });
  const { user } = await open();
  expect(workers.register).toHaveBeenCalledExactlyOnceWith('/service-worker.js', { updateViaCache: 'none' });
  const { ready, update: now, later } = TEXTS[language];
  // In a region that was there before, so that it is read out.
  const region = within(screen.getByRole('status'));
  expect(region.getByText(ready)).toBeInTheDocument();
  expect(region.getByRole('button', { name: now })).toBeInTheDocument();
  await user.click(region.getByRole('button', { name: later }));
  expect(screen.queryByText(ready)).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
});

test('whoever puts it off keeps their place on the page', async () => {
  stubWorkerBrowser({ waiting: aVersion('installed') });
  render(
    <>
      <main id="content" tabIndex={-1} />
      <OfflineBars />
    </>,
  );
  await startUser().click(await screen.findByRole('button', { name: 'Later' }));
  expect(screen.getByRole('main')).toHaveFocus();
});

test('a page that has all of the newest version says nothing', async () => {
  stubWorkerBrowser();
  await open();
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

test('nor does the first visit, whose page is the version that was just fetched', async () => {
  stubWorkerBrowser({ isFirstVisit: true, waiting: aVersion('installed') });
  await open();
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

test('a version that comes while the page is open is announced once it is all there', async () => {
  const { find, install } = stubWorkerBrowser();
  await open();
  const version = aVersion('installing');
  await act(async () => find(version));
  expect(announcement()).toBeNull();
  await act(async () => install(version));
  expect(announcement()).toBeInTheDocument();
});

test('a version that could not be installed is not announced, and the next one is', async () => {
  const { find, install } = stubWorkerBrowser();
  await open();
  const [broken, next] = [aVersion('installing'), aVersion('installing')];
  await act(async () => find(broken));
  await act(async () => broken.become('redundant'));
  expect(announcement()).toBeNull();
  await act(async () => find(next));
  await act(async () => install(next));
  expect(announcement()).toBeInTheDocument();
});

test('whoever updates gets the new version: the page is loaded again once that has taken over', async () => {
  const waiting = aVersion('installed');
  const { registration, reload, press, takeOver } = await update({ waiting });
  await press();
  await waitFor(() => expect(waiting.heard).toEqual([{ type: 'take-over' }]));
  // It is all here: a slow line has nothing to say about it.
  expect(registration.update).not.toHaveBeenCalled();
  expect(screen.getByRole('button', { name: 'Update' })).toHaveAttribute('aria-busy', 'true');
  expect(reload).not.toHaveBeenCalled();
  takeOver();
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test('a still newer version that is being installed is waited for, and taken', async () => {
  const { registration, install, find, reload, press, takeOver } = await update({ waiting: aVersion('installed') });
  const newest = aVersion('installing');
  registration.waiting = null;
  find(newest);
  await press();
  await act(async () => undefined);
  expect(newest.heard).toEqual([]);
  await act(async () => install(newest));
  expect(newest.heard).toEqual([{ type: 'take-over' }]);
  expect(reload).not.toHaveBeenCalled();
  takeOver();
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test.each([
  ['was taken by another tab', (browser: Browser) => Object.assign(browser.registration, { waiting: null })],
  [
    'could not be installed',
    (browser: Browser) => Object.assign(browser.registration, { waiting: null, installing: aVersion('redundant') }),
  ],
  [
    'went with the site’s data',
    (browser: Browser) => Object.assign(browser.workers, { getRegistration: async () => undefined }),
  ],
])('where the version %s meanwhile, the page is loaded again at once', async (_what, lose) => {
  const browser = await update({ waiting: aVersion('installed') });
  lose(browser);
  await browser.press();
  await waitFor(() => expect(browser.reload).toHaveBeenCalledOnce());
});

type Browser = ReturnType<typeof stubWorkerBrowser>;

test('a version that does not take over is not waited for longer than five seconds', async () => {
  const waiting = aVersion('installed');
  const { registration, reload, press } = await update({ waiting });
  registration.update.mockRejectedValue(new TypeError('No network'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  await press();
  await act(() => vi.advanceTimersByTimeAsync(4_000));
  expect(waiting.heard).toEqual([{ type: 'take-over' }]);
  expect(reload).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(reload).toHaveBeenCalledOnce();
});

test('a page that stands open for days looks for a new version every hour, with or without a network', async () => {
  const { registration } = stubWorkerBrowser();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  registration.update.mockRejectedValueOnce(new TypeError('No network'));
  const { unmount } = await open();
  vi.advanceTimersByTime(HOUR_MS - 1);
  expect(registration.update).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(registration.update).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(HOUR_MS);
  expect(registration.update).toHaveBeenCalledTimes(2);
  unmount();
  vi.advanceTimersByTime(2 * HOUR_MS);
  expect(registration.update).toHaveBeenCalledTimes(2);
});

test('a browser that takes no service worker has the app without one', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { workers } = stubWorkerBrowser();
  workers.register.mockRejectedValue(new DOMException('A private window', 'SecurityError'));
  await open();
  expect(warn).toHaveBeenCalledOnce();
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});
