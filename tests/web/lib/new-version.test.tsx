import { act, render, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import {
  aVersion,
  holdTime,
  loseNetwork,
  stubReload,
  stubWorkerBrowser,
  type Version,
} from '#tests/web/support/phone.ts';
import { startUser } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { type Late, late, useLate } from '#web/lib/late.ts';
import { findChunk, isChunkError, reloadOnce } from '#web/lib/new-version.ts';
import { OfflineBars } from '#web/offline/offline-bars.tsx';

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

test.each(['en', 'sw'] as const)(
  'in the language %s, the app announces an installed new version, and the user can postpone the update',
  async (language) => {
    await changeLanguage(language);
    const { workers } = stubWorkerBrowser({ waiting: aVersion('installed') });
    const { user } = await open();
    expect(workers.register).toHaveBeenCalledExactlyOnceWith('/service-worker.js', { updateViaCache: 'none' });
    const { ready, update: now, later } = TEXTS[language];
    // The live region existed before its text, so that screen readers announce the text.
    const region = within(screen.getByRole('status'));
    expect(region.getByText(ready)).toBeInTheDocument();
    expect(region.getByRole('button', { name: now })).toBeInTheDocument();
    await user.click(region.getByRole('button', { name: later }));
    expect(screen.queryByText(ready)).toBeNull();
    expect(screen.queryByRole('button')).toBeNull();
  },
);

test('postponing an update of the app moves the focus to the main content of the page', async () => {
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

test('a page with the newest version of the app announces no update', async () => {
  stubWorkerBrowser();
  await open();
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

test('the first visit does not announce a new version, because it has just fetched the newest version', async () => {
  stubWorkerBrowser({ isFirstVisit: true, waiting: aVersion('installed') });
  await open();
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

test('if the browser finds a new version of the app while the page is open, the page announces the version after its installation', async () => {
  const { find, install } = stubWorkerBrowser();
  await open();
  const version = aVersion('installing');
  await act(async () => find(version));
  expect(announcement()).toBeNull();
  await act(async () => install(version));
  expect(announcement()).toBeInTheDocument();
});

test('a new version that failed to install is not announced, but the next version is announced', async () => {
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

test('a press on the button “Update” reloads the page after the new version has taken over', async () => {
  const waiting = aVersion('installed');
  const { registration, reload, press, takeOver } = await update({ waiting });
  await press();
  await waitFor(() => expect(waiting.heard).toEqual([{ type: 'take-over' }]));
  // The waiting version's files are already cached, so no download is needed.
  expect(registration.update).not.toHaveBeenCalled();
  expect(screen.getByRole('button', { name: 'Update' })).toHaveAttribute('aria-busy', 'true');
  expect(reload).not.toHaveBeenCalled();
  takeOver();
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test('after a press on the button “Update”, the app waits for a newer version that is still being installed', async () => {
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
  ['was activated by another tab', (browser: Browser) => Object.assign(browser.registration, { waiting: null })],
  [
    'could not be installed',
    (browser: Browser) => Object.assign(browser.registration, { waiting: null, installing: aVersion('redundant') }),
  ],
  [
    'was deleted with the site’s data',
    (browser: Browser) => Object.assign(browser.workers, { getRegistration: async () => undefined }),
  ],
])(
  'a press on “Update” reloads the page immediately if no new version is waiting any more (the new version %s)',
  async (_what, lose) => {
    const browser = await update({ waiting: aVersion('installed') });
    lose(browser);
    await browser.press();
    await waitFor(() => expect(browser.reload).toHaveBeenCalledOnce());
  },
);

type Browser = ReturnType<typeof stubWorkerBrowser>;

test('an update waits at most five seconds for the new version to take over, then reloads the page', async () => {
  const waiting = aVersion('installed');
  const { registration, reload, press } = await update({ waiting });
  registration.update.mockRejectedValue(new TypeError('No network'));
  holdTime();
  await press();
  await act(() => vi.advanceTimersByTimeAsync(4_000));
  expect(waiting.heard).toEqual([{ type: 'take-over' }]);
  expect(reload).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(reload).toHaveBeenCalledOnce();
});

test('a page open for days checks for a new version every hour, with or without a network', async () => {
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

test('the app works in browsers without service workers', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { workers } = stubWorkerBrowser();
  workers.register.mockRejectedValue(new DOMException('A private window', 'SecurityError'));
  await open();
  expect(warn).toHaveBeenCalledOnce();
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

const CHUNK = 'http://localhost:8787/assets/a.js';
const MISSING = new TypeError(`Failed to fetch dynamically imported module: ${CHUNK}`);
const UNNAMED = new TypeError('Importing a module script failed.');

/** Answers HEAD requests for a URL, and checks that they bypass the HTTP cache. @returns the URLs requested so far. */
function serve(address: string, answer: () => Response) {
  const asked: string[] = [];
  const fetched = vi.spyOn(globalThis, 'fetch');
  server.use(
    http.head(address, ({ request }) => {
      expect(fetched).toHaveBeenLastCalledWith(expect.anything(), { method: 'HEAD', cache: 'no-store' });
      asked.push(request.url);
      return answer() as never;
    }),
  );
  return asked;
}

const ofType = (type: string) => () => new HttpResponse(null, { headers: { 'Content-Type': type } });

test.each([
  ['Chrome’s error for a missing file is recognised', MISSING, true],
  [
    'Firefox’s error for a missing file is recognised',
    new TypeError(`error loading dynamically imported module: ${CHUNK}`),
    true,
  ],
  ['Safari’s error for a missing file is recognised', UNNAMED, true],
  ['Vite’s error for a missing style sheet is recognised', new Error('Unable to preload CSS for /assets/a.css'), true],
  ['an error in our own code is no loading failure', new TypeError('x is undefined'), false],
  ['a thrown string is no loading failure', MISSING.message, false],
])('a failure to load a file is distinguished from other errors: %s', (_who, error, isOne) => {
  expect(isChunkError(error)).toBe(isOne);
});

test.each([
  ['status 404 means that a deployment replaced the file', () => new HttpResponse(null, { status: 404 }), 'replaced'],
  ['an HTML page means that a deployment replaced the file', ofType('text/html; charset=utf-8'), 'replaced'],
  ['a script means that the server has the file', ofType('text/javascript'), 'served'],
  ['a response without a type means that the server has the file', () => new HttpResponse(null), 'served'],
  ['no response means that the cause is unknown', () => HttpResponse.error(), null],
])('after a file failed to load, a second request for the file finds the cause: %s', async (_what, answer, found) => {
  const asked = serve(CHUNK, answer);
  expect(await findChunk(MISSING)).toBe(found);
  expect(asked).toEqual([CHUNK]);
});

test.each([
  ['the file, if the error names its path', new Error('Unable to preload CSS for /assets/a.css'), '/assets/a.css'],
  ['the home page, if the error names no file', UNNAMED, '/'],
])('to find out why a file failed to load, the app requests the URL of %s', async (_what, error, path) => {
  const asked = serve(`http://localhost:8787${path}`, ofType('text/html'));
  expect(await findChunk(error)).toBe('replaced');
  expect(asked).toHaveLength(1);
});

test('the app does not request a code file again while offline, or after an error that is not a failed load', async () => {
  const asked = serve(CHUNK, () => new HttpResponse(null, { status: 404 }));
  expect(await findChunk(new Error(`Broken: ${CHUNK}`))).toBeNull();
  loseNetwork();
  expect(await findChunk(MISSING)).toBeNull();
  expect(asked).toEqual([]);
});

test('a missing file of the app’s code causes at most one reload of the page a minute', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const reload = stubReload();
  const start = Date.now();
  expect(reloadOnce()).toBe(true);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  vi.setSystemTime(start + 59_999);
  expect(reloadOnce()).toBe(false);
  vi.setSystemTime(start + 60_000);
  expect(reloadOnce()).toBe(true);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(2));
});

test('if a missing code file causes a reload of the page, a waiting new version of the app takes over first', async () => {
  const reload = stubReload();
  const waiting = aVersion('installed');
  const { takeOver } = stubWorkerBrowser({ waiting });
  reloadOnce();
  await vi.waitFor(() => expect(waiting.heard).toEqual([{ type: 'take-over' }]));
  expect(reload).not.toHaveBeenCalled();
  takeOver();
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

const fail = () => Promise.reject(MISSING);

function Panel({ part, isOpen = true }: { part: Late<string>; isOpen?: boolean }) {
  const { Part, hasFailed, isLoading } = useLate(part, { isWanted: isOpen, isAsked: true });
  return <p>{Part ?? `${hasFailed ? 'failed' : 'well'}, ${isLoading ? 'loading' : 'idle'}`}</p>;
}

test('the page reloads if a deployment has replaced a code file that a part of the screen needs', async () => {
  serve(CHUNK, () => new HttpResponse(null, { status: 404 }));
  const reload = stubReload();
  render(<Panel part={late(fail)} />);
  expect(await screen.findByText('failed, idle')).toBeInTheDocument();
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test.each([
  ['the part’s file still exists', ofType('text/javascript'), false],
  ['the user has left the screen', () => new HttpResponse(null, { status: 404 }), true],
])('after a part of a screen failed to load, the page does not reload if %s', async (_what, answer, isLeft) => {
  const asked = serve(CHUNK, answer);
  const reload = stubReload();
  const { unmount } = render(<Panel part={late(fail)} />);
  if (isLeft) unmount();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(reload).not.toHaveBeenCalled();
});

test('if a part of a screen fails to load and the user closes the part, the app retries only when the user reopens the part', async () => {
  serve(CHUNK, ofType('text/javascript'));
  holdTime();
  const load = vi.fn(fail as () => Promise<string>);
  const part = late(load);
  const { rerender } = render(<Panel part={part} isOpen={false} />);
  expect(screen.getByText('well, idle')).toBeInTheDocument();
  expect(load).not.toHaveBeenCalled();
  rerender(<Panel part={part} />);
  expect(screen.getByText('well, loading')).toBeInTheDocument();
  expect(await screen.findByText('failed, idle')).toBeInTheDocument();
  rerender(<Panel part={part} isOpen={false} />);
  expect(screen.getByText('well, idle')).toBeInTheDocument();
  act(() => void window.dispatchEvent(new Event('online')));
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(load).toHaveBeenCalledTimes(1);
  load.mockResolvedValue('The filters');
  rerender(<Panel part={part} />);
  expect(await screen.findByText('The filters')).toBeInTheDocument();
});
