import { act, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Confetti } from '#web/ui/confetti.tsx';

type Shower = { particleCount: number; angle: number; colors: string[]; origin: { x: number; y: number } };

/** Records the confetti, and whether it was removed. */
const sky = vi.hoisted(() => ({ showers: [] as unknown[], options: [] as unknown[], resets: 0 }));

vi.mock('canvas-confetti', () => ({
  default: {
    create: (_canvas: unknown, options: unknown) => {
      sky.options.push(options);
      return Object.assign((shower: unknown) => void sky.showers.push(shower), { reset: () => void sky.resets++ });
    },
  },
}));

beforeEach(() => {
  Object.assign(sky, { showers: [], options: [], resets: 0 });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const counts = () => sky.showers.map((shower) => (shower as Shower).particleCount);

async function open() {
  const view = render(<Confetti />);
  await vi.dynamicImportSettled();
  return view;
}

test('confetti starts with a burst and continues slowly, from above the page at its full width', async () => {
  await open();
  expect(counts()).toEqual([48]);
  await pass(699);
  expect(counts()).toEqual([48]);
  await pass(1);
  expect(counts()).toEqual([48, 12]);
  await pass(1_400);
  expect(counts()).toEqual([48, 12, 12, 12]);
  expect(sky.options).toEqual([{ resize: true, useWorker: false, disableForReducedMotion: true }]);
  const showers = sky.showers as Shower[];
  for (const { angle, colors, origin } of showers) {
    expect([angle, colors.length, origin.y]).toEqual([270, 4, -0.1]);
    for (const colour of colors) expect(colour).toMatch(/^#[0-9a-f]{6}$/);
  }
  expect(new Set(showers.map(({ origin }) => origin.x)).size).toBe(showers.length);
});

test('a hidden page throws no confetti, and continues when it is visible', async () => {
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  await open();
  await pass(2_100);
  expect(counts()).toEqual([]);
  state.mockReturnValue('visible');
  await pass(700);
  expect(counts()).toEqual([12]);
});

test('after a minute the remaining confetti is removed', async () => {
  const { unmount } = await open();
  await pass(59_999);
  expect(sky.resets).toBe(0);
  await pass(1);
  expect(sky.resets).toBe(1);
  const fallen = counts().length;
  await pass(10_000);
  expect(counts()).toHaveLength(fallen);
  unmount();
});

test('a dialog closed before the confetti has loaded has none', async () => {
  const { unmount } = render(<Confetti />);
  unmount();
  await vi.dynamicImportSettled();
  await pass(2_000);
  expect([sky.options, sky.showers]).toEqual([[], []]);
});

test('confetti is hidden from screen readers, and not shown under reduced motion', async () => {
  const { container, unmount } = await open();
  expect(container.querySelector('canvas')).toHaveAttribute('aria-hidden', 'true');
  unmount();
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(prefers-reduced-motion: reduce)' }));
  const still = await open();
  expect(still.container).toBeEmptyDOMElement();
});
