import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Background } from '#web/app/background.tsx';
import './support/setup.ts';

// Before time stands still: from then on nothing may be loaded.
beforeAll(() => import('#web/offline/offline-bars.tsx'));
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const bars = () => screen.queryByRole('status');
const pass = (ms: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
    await vi.dynamicImportSettled();
  });

/** A browser that says when it has nothing better to do. */
function stubIdle() {
  const waiting: (() => void)[] = [];
  const ask = vi.fn((run: () => void, _options?: unknown) => waiting.push(run));
  vi.stubGlobal('requestIdleCallback', ask);
  const rest = () =>
    act(async () => {
      for (const run of waiting.splice(0)) run();
      await vi.dynamicImportSettled();
    });
  return { ask, rest };
}

test('what nobody waits for comes a moment after the page, where the browser does not say that it rests', async () => {
  render(<Background />);
  await pass(150);
  expect(bars()).toBeNull();
  await pass(100);
  expect(bars()).toBeInTheDocument();
});

test('it comes once the browser rests, and within five seconds at most', async () => {
  const { ask, rest } = stubIdle();
  render(<Background />);
  await pass(1_000);
  expect(bars()).toBeNull();
  expect(ask).toHaveBeenCalledExactlyOnceWith(expect.any(Function), { timeout: 5_000 });
  await rest();
  expect(bars()).toBeInTheDocument();
});

/** A page of which not everything has come yet. */
function stubLoading() {
  const state = vi.spyOn(document, 'readyState', 'get').mockReturnValue('interactive');
  onTestFinished(() => state.mockRestore());
  return state;
}

test('as long as the page itself is still coming it is not even waited for', async () => {
  const state = stubLoading();
  const { ask, rest } = stubIdle();
  render(<Background />);
  expect(ask).not.toHaveBeenCalled();
  state.mockReturnValue('complete');
  fireEvent(window, new Event('load'));
  fireEvent(window, new Event('load'));
  expect(ask).toHaveBeenCalledOnce();
  await rest();
  expect(bars()).toBeInTheDocument();
});

test('a page that is left before it was all there waits for nothing more', () => {
  stubLoading();
  const { ask } = stubIdle();
  render(<Background />).unmount();
  fireEvent(window, new Event('load'));
  expect(ask).not.toHaveBeenCalled();
});
