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

test('messages come into a place that was there before them, which is why they are read out', async () => {
  const place = document.querySelector('[aria-live=polite]');
  expect(place).toBeEmptyDOMElement();
  await say(() => showToast.success('Limefutwa'));
  expect(place).toContainElement(screen.getByText('Limefutwa'));
});

test('a message can be dismissed by its button, and what leaves a form unsent', async () => {
  await say(() => showToast.notice('Mtandao umerudi'));
  expect(screen.getByRole('list', { name: 'Messages' })).toBeInTheDocument();
  const button = screen.getByRole('button', { name: 'Dismiss message' });
  expect(button).toHaveAttribute('type', 'button');
  fireEvent.click(button);
  expect(texts()).toEqual([]);
});

test('a message stands while it is pointed at, and goes some time after', async () => {
  await say(() => showToast.success('Limetangazwa'));
  await pass(2_000);
  fireEvent.pointerOver(screen.getByText('Limetangazwa'));
  await pass(30_000);
  expect(texts()).toEqual(['Limetangazwa']);
  fireEvent.pointerOut(screen.getByRole('list'), { relatedTarget: document.body });
  await pass(900);
  expect(texts()).toEqual(['Limetangazwa']);
  await pass(200);
  expect(texts()).toEqual([]);
});

test('a message stands while it has the focus, and goes some time after', async () => {
  await say(() => showToast.success('Limetangazwa'));
  act(() => screen.getByRole('button', { name: 'Dismiss message' }).focus());
  await pass(30_000);
  expect(texts()).toEqual(['Limetangazwa']);
  act(() => screen.getByRole('button', { name: 'Dismiss message' }).blur());
  await pass(3_100);
  expect(texts()).toEqual([]);
});

test('the focus that was on a message goes back to where it came from', async () => {
  render(<input aria-label="Title" />);
  const field = screen.getByLabelText('Title');
  await say(...['one', 'two'].map((text) => () => showToast.success(text)));
  act(() => field.focus());
  const [first, second] = screen.getAllByRole('button', { name: 'Dismiss message' });
  act(() => first?.focus());
  act(() => second?.focus());
  fireEvent.keyDown(second as HTMLElement, { key: 'Escape' });
  expect(texts()).toEqual(['two']);
  expect(field).toHaveFocus();
});

test('the focus that was elsewhere stays there', async () => {
  render(<input aria-label="Title" />);
  await say(() => showToast.success('one'));
  act(() => screen.getByLabelText('Title').focus());
  await pass(3_100);
  expect(texts()).toEqual([]);
  expect(screen.getByLabelText('Title')).toHaveFocus();
});

test('no other key than Escape dismisses a message, and one that somebody else has used does not either', async () => {
  await say(() => showToast.success('one'));
  const button = screen.getByRole('button', { name: 'Dismiss message' });
  fireEvent.keyDown(button, { key: 'Tab' });
  fireEvent.keyDown(document.body, { key: 'a' });
  const claim = (event: Event) => event.preventDefault();
  document.addEventListener('keydown', claim);
  fireEvent.keyDown(document.body, { key: 'Escape' });
  document.removeEventListener('keydown', claim);
  const dialog = document.body.appendChild(document.createElement('dialog'));
  dialog.open = true;
  fireEvent.keyDown(document.body, { key: 'Escape' });
  dialog.remove();
  expect(texts()).toEqual(['one']);
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(texts()).toEqual([]);
});

/** A pointer that goes down, along and up. jsdom knows its events without where they are. */
function drag(pointerType: string, px: number, end = 'pointerup') {
  const card = screen.getByRole('listitem');
  const point = (name: string, clientX: number) =>
    fireEvent(card, Object.assign(new MouseEvent(name, { bubbles: true, clientX }), { pointerType }));
  point('pointerdown', 100);
  point('pointermove', 100 + px);
  const moved = card.style.translate;
  point(end, 100 + px);
  return moved;
}

test.each([
  ['touch', 72, '72px', []],
  ['touch', -90, '-90px', []],
  ['touch', 71, '71px', ['one']],
  ['mouse', 200, '0px', ['one']],
] as const)('a %s that moves a message by %i px moves it by %s', async (pointer, px, moved, left) => {
  await say(() => showToast.success('one'));
  expect(drag(pointer, px)).toBe(moved);
  expect(texts()).toEqual(left);
  if (left.length > 0) expect(screen.getByRole('listitem').style.translate).toBe('0px');
});

test('a message whose swipe the browser takes for scrolling goes back to its place', async () => {
  await say(() => showToast.success('one'));
  expect(drag('touch', 200, 'pointercancel')).toBe('200px');
  expect(screen.getByRole('listitem').style.translate).toBe('0px');
});
