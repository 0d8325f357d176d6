import { act, render, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { changeLanguage } from '#web/lib/i18n.ts';
import { isChunkError, isChunkGone, reloadOnce } from '#web/lib/stale-chunk.ts';
import { usePart } from '#web/lib/use-part.ts';
import { loseNetwork } from './support/phone.ts';
import { server } from './support/setup.ts';
import { aVersion, stubReload, stubWorkerBrowser } from './support/worker-browser.ts';

const CHUNK = 'http://localhost:8787/assets/a.js';
const MISSING = new TypeError(`Failed to fetch dynamically imported module: ${CHUNK}`);
const UNNAMED = new TypeError('Importing a module script failed.');

beforeEach(() => changeLanguage('en'));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Answers what is asked for at an address. @returns what was, past every cache. */
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
  ['Chrome', MISSING, true],
  ['Firefox', new TypeError(`error loading dynamically imported module: ${CHUNK}`), true],
  ['Safari', UNNAMED, true],
  ['Vite, of a style sheet', new Error('Unable to preload CSS for /assets/a.css'), true],
  ['a mistake of ours', new TypeError('x is undefined'), false],
  ['no error at all', MISSING.message, false],
])('code that could not be loaded is told from what is broken: %s', (_who, error, isOne) => {
  expect(isChunkError(error)).toBe(isOne);
});

test.each([
  ['a 404', () => new HttpResponse(null, { status: 404 }), true],
  ['the page in the place of a script', ofType('text/html; charset=utf-8'), true],
  ['the script', ofType('text/javascript'), false],
  ['a file of no type', () => new HttpResponse(null), false],
  ['nothing', () => HttpResponse.error(), false],
])('a file is gone after a deploy or not, as its address answers with %s', async (_what, answer, isGone) => {
  const asked = serve(CHUNK, answer);
  expect(await isChunkGone(MISSING)).toBe(isGone);
  expect(asked).toEqual([CHUNK]);
});

test.each([
  ['of which only the path is known', new Error('Unable to preload CSS for /assets/a.css'), '/assets/a.css'],
  ['that nothing names, by the page itself', UNNAMED, '/'],
])('a file is looked up here %s', async (_what, error, path) => {
  const asked = serve(`http://localhost:8787${path}`, ofType('text/html'));
  expect(await isChunkGone(error)).toBe(true);
  expect(asked).toHaveLength(1);
});

test('what is broken by itself, and what fails without a network, is not looked up', async () => {
  const asked = serve(CHUNK, () => new HttpResponse(null, { status: 404 }));
  expect(await isChunkGone(new Error(`Broken: ${CHUNK}`))).toBe(false);
  loseNetwork();
  expect(await isChunkGone(MISSING)).toBe(false);
  expect(asked).toEqual([]);
});

test('the page is loaded again with the newest version, but not twice within a minute', async () => {
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

test('a version that waits takes over first, so that the page does not come back as it was', async () => {
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

function Panel({ load = fail, isOpen = true }: { load?: () => Promise<string>; isOpen?: boolean }) {
  const { Part, hasFailed, isLoading } = usePart(load, isOpen);
  return <p>{Part ?? `${hasFailed ? 'failed' : 'well'}, ${isLoading ? 'loading' : 'idle'}`}</p>;
}

test('a part of a screen that a deploy has replaced comes with the newer page', async () => {
  serve(CHUNK, () => new HttpResponse(null, { status: 404 }));
  const reload = stubReload();
  render(<Panel />);
  expect(await screen.findByText('failed, idle')).toBeInTheDocument();
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test.each([
  ['is there after all', ofType('text/javascript'), false],
  ['was left meanwhile', () => new HttpResponse(null, { status: 404 }), true],
])('a part that %s loads no page again', async (_what, answer, isLeft) => {
  const asked = serve(CHUNK, answer);
  const reload = stubReload();
  const { unmount } = render(<Panel />);
  if (isLeft) unmount();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(reload).not.toHaveBeenCalled();
});

test('a part that has failed is asked for again when it is wanted anew, and not meanwhile', async () => {
  serve(CHUNK, ofType('text/javascript'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const load = vi.fn(fail as () => Promise<string>);
  const { rerender } = render(<Panel load={load} isOpen={false} />);
  expect(screen.getByText('well, idle')).toBeInTheDocument();
  expect(load).not.toHaveBeenCalled();
  rerender(<Panel load={load} />);
  expect(screen.getByText('well, loading')).toBeInTheDocument();
  expect(await screen.findByText('failed, idle')).toBeInTheDocument();
  rerender(<Panel load={load} isOpen={false} />);
  expect(screen.getByText('well, idle')).toBeInTheDocument();
  act(() => void window.dispatchEvent(new Event('online')));
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(load).toHaveBeenCalledTimes(1);
  load.mockResolvedValue('The filters');
  rerender(<Panel load={load} />);
  expect(await screen.findByText('The filters')).toBeInTheDocument();
});
