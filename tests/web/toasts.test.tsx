import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { changeLanguage } from '#web/lib/i18n.ts';
import { showToast, ToastRegion } from '#web/ui/toast.tsx';

/** Before time stands still: from then on nothing may be loaded. */
await import('#web/ui/toast-stack.tsx');

beforeEach(async () => {
  await changeLanguage('en');
  vi.useFakeTimers();
  render(<ToastRegion />);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Shows messages, and waits until the code that shows them is there. */
const say = (...messages: (() => void)[]) =>
  act(async () => {
    for (const message of messages) message();
    await vi.dynamicImportSettled();
  });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const texts = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent);

function setHidden(isHidden: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden);
  fireEvent(document, new Event('visibilitychange'));
}

test.each([
  ['success', 3_000],
  ['error', 3_000],
  ['notice', 5_000],
] as const)('a message of %s stands for %i ms', async (tone, ms) => {
  await say(() => showToast[tone]('Limetangazwa'));
  await pass(ms - 100);
  expect(texts()).toEqual(['Limetangazwa']);
  await pass(200);
  expect(texts()).toEqual([]);
});

test('the newest message is the first, and the oldest makes room for a fourth', async () => {
  await say(...['one', 'two', 'three', 'four'].map((text) => () => showToast.success(text)));
  expect(texts()).toEqual(['four', 'three', 'two']);
});

test('a message with an id is shown once while it stands, and again when it does not', async () => {
  await say(
    () => showToast.error('Error loading posts', 'posts-not-loaded'),
    () => showToast.error('Error loading posts', 'posts-not-loaded'),
  );
  expect(texts()).toEqual(['Error loading posts']);
  await pass(3_100);
  await say(() => showToast.error('Error loading posts', 'posts-not-loaded'));
  expect(texts()).toEqual(['Error loading posts']);
});

test('nothing goes while the page is hidden, and what is left of its time counts when it is not', async () => {
  await say(() => showToast.success('Limetangazwa'));
  await pass(1_000);
  setHidden(true);
  await pass(60_000);
  expect(texts()).toEqual(['Limetangazwa']);
  setHidden(false);
  await pass(1_900);
  expect(texts()).toEqual(['Limetangazwa']);
  await pass(200);
  expect(texts()).toEqual([]);
});

test.each([
  ['focus', () => screen.getByRole('button', { name: 'Dismiss message' }).focus()],
  ['pointer', () => fireEvent.pointerOver(screen.getByText('one'))],
])('a message that makes room takes along the %s that was on it, and holds back no other', async (_what, hold) => {
  await say(() => showToast.success('one'));
  hold();
  await pass(10_000);
  expect(texts()).toEqual(['one']);
  await say(...['two', 'three', 'four'].map((text) => () => showToast.success(text)));
  await pass(3_100);
  expect(texts()).toEqual([]);
});

test('each press of Escape dismisses one message, that with the focus or else the newest', async () => {
  await say(...['one', 'two', 'three'].map((text) => () => showToast.success(text)));
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(texts()).toEqual(['two', 'one']);
  const last = screen.getAllByRole('button', { name: 'Dismiss message' }).at(-1);
  last?.focus();
  if (last) fireEvent.keyDown(last, { key: 'Escape' });
  expect(texts()).toEqual(['two']);
});

test('a failure interrupts a screen reader, a success does not', async () => {
  await say(
    () => showToast.error('Halikuweza kufutwa'),
    () => showToast.success('Limefutwa'),
  );
  expect(screen.getByRole('alert')).toHaveTextContent('Halikuweza kufutwa');
  expect(screen.getByRole('status')).toHaveTextContent('Limefutwa');
});
