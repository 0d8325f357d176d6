import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { changeLanguage } from '#web/lib/i18n.ts';
import { showToast, ToastRegion } from '#web/ui/toast.tsx';

/** Loads the toaster before the timers are faked, because nothing loads under fake timers. */
await import('#web/ui/toaster.tsx');

beforeEach(async () => {
  await changeLanguage('en');
  vi.useFakeTimers();
  render(<ToastRegion />);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Shows messages, and waits until the toaster has loaded. */
const say = (...messages: (() => void)[]) =>
  act(async () => {
    for (const message of messages) message();
    await vi.dynamicImportSettled();
  });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const toasts = () => [...document.querySelectorAll<HTMLElement>('.Toastify__toast')];
const texts = () => toasts().map(({ textContent }) => textContent);

function setHidden(isHidden: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden);
  fireEvent(document, new Event('visibilitychange'));
}

test.each([
  ['success', 3_000],
  ['error', 3_000],
  ['notice', 5_000],
] as const)('a toast of type “%s” disappears after %i ms', async (tone, ms) => {
  await say(() => showToast[tone]('Limetangazwa'));
  await pass(ms - 100);
  expect(texts()).toEqual(['Limetangazwa']);
  await pass(200);
  expect(texts()).toEqual([]);
});

test('the newest toast is on top, and a fourth toast removes the oldest', async () => {
  await say(...['one', 'two', 'three', 'four'].map((text) => () => showToast.success(text)));
  expect(texts()).toEqual(['four', 'three', 'two']);
});

test('a toast is not shown while a toast with the same id is visible, and can be shown after that toast has disappeared', async () => {
  await say(
    () => showToast.error('Error loading posts', 'posts-not-loaded'),
    () => showToast.error('Error loading posts', 'posts-not-loaded'),
  );
  expect(texts()).toEqual(['Error loading posts']);
  await pass(3_100);
  expect(texts()).toEqual([]);
  await say(() => showToast.error('Error loading posts', 'posts-not-loaded'));
  expect(texts()).toEqual(['Error loading posts']);
});

test('the first toast appears in React’s StrictMode, which mounts the toasts twice', async () => {
  cleanup();
  render(<ToastRegion />, { reactStrictMode: true });
  await say(() => showToast.success('Limetangazwa'));
  expect(texts()).toEqual(['Limetangazwa']);
});

test('the timer of a toast stops while the page is hidden, and continues when the page is visible', async () => {
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
])(
  'if a fourth toast removes the toast with the %s on it, the timers of the remaining toasts run',
  async (_what, hold) => {
    await say(() => showToast.success('one'));
    act(() => void hold());
    await pass(10_000);
    expect(texts()).toEqual(['one']);
    await say(...['two', 'three', 'four'].map((text) => () => showToast.success(text)));
    await pass(3_100);
    expect(texts()).toEqual([]);
  },
);

test('Escape dismisses the toast that has the focus, or else the newest toast', async () => {
  await say(...['one', 'two', 'three'].map((text) => () => showToast.success(text)));
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(texts()).toEqual(['two', 'one']);
  const last = screen.getAllByRole('button', { name: 'Dismiss message' }).at(-1) as HTMLElement;
  act(() => last.focus());
  fireEvent.keyDown(last, { key: 'Escape' });
  expect(texts()).toEqual(['two']);
});

test('an error toast interrupts a screen reader, and a success toast does not', async () => {
  await say(
    () => showToast.error('Halikuweza kufutwa'),
    () => showToast.success('Limefutwa'),
  );
  expect(screen.getByRole('alert')).toHaveTextContent('Halikuweza kufutwa');
  expect(screen.getByRole('status')).toHaveTextContent('Limefutwa');
});

test('the live region of toasts exists before the first toast', async () => {
  const region = document.querySelector('[aria-live=polite]');
  expect(region).toBeEmptyDOMElement();
  await say(() => showToast.success('Limefutwa'));
  expect(region).toContainElement(screen.getByText('Limefutwa'));
});

test('pressing the button of a toast dismisses the toast, and submits no form', async () => {
  await say(() => showToast.notice('Mtandao umerudi'));
  expect(screen.getByRole('region', { name: 'Messages' })).toBeInTheDocument();
  const button = screen.getByRole('button', { name: 'Dismiss message' });
  expect(button).toHaveAttribute('type', 'button');
  fireEvent.click(button);
  expect(texts()).toEqual([]);
});

test('the timer of a toast stops while the pointer is on the toast', async () => {
  await say(() => showToast.success('Limetangazwa'));
  await pass(2_000);
  fireEvent.pointerOver(screen.getByText('Limetangazwa'));
  await pass(30_000);
  expect(texts()).toEqual(['Limetangazwa']);
  fireEvent.pointerOut(screen.getByRole('region'), { relatedTarget: document.body });
  await pass(900);
  expect(texts()).toEqual(['Limetangazwa']);
  await pass(200);
  expect(texts()).toEqual([]);
});

test('the timer of a toast stops while its button has the focus', async () => {
  await say(() => showToast.success('Limetangazwa'));
  act(() => screen.getByRole('button', { name: 'Dismiss message' }).focus());
  await pass(30_000);
  expect(texts()).toEqual(['Limetangazwa']);
  act(() => screen.getByRole('button', { name: 'Dismiss message' }).blur());
  await pass(3_100);
  expect(texts()).toEqual([]);
});

test('in a toast only the button can get the focus', async () => {
  await say(() => showToast.success('Limetangazwa'));
  expect(screen.getByRole('region').querySelectorAll('[tabindex]')).toHaveLength(0);
});

test('after a toast is dismissed the focus returns to the element that had the focus before', async () => {
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

test('a toast that disappears does not take the focus from a field', async () => {
  render(<input aria-label="Title" />);
  await say(() => showToast.success('one'));
  act(() => screen.getByLabelText('Title').focus());
  await pass(3_100);
  expect(texts()).toEqual([]);
  expect(screen.getByLabelText('Title')).toHaveFocus();
});

test('a toast ignores every key except Escape, and ignores an Escape that a dialog or another control handles', async () => {
  await say(() => showToast.success('one'));
  const button = screen.getByRole('button', { name: 'Dismiss message' });
  fireEvent.keyDown(button, { key: 'Tab' });
  fireEvent.keyDown(document.body, { key: 'a' });
  const use = (event: Event) => event.preventDefault();
  document.addEventListener('keydown', use);
  fireEvent.keyDown(document.body, { key: 'Escape' });
  document.removeEventListener('keydown', use);
  const dialog = document.body.appendChild(document.createElement('dialog'));
  dialog.open = true;
  fireEvent.keyDown(document.body, { key: 'Escape' });
  dialog.remove();
  expect(texts()).toEqual(['one']);
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(texts()).toEqual([]);
});

/** jsdom has no PointerEvent coordinates, so a pointer event is a MouseEvent with a pointer type. */
function point(name: string, pointerType: string, clientX: number): void {
  fireEvent(
    toasts()[0] as HTMLElement,
    Object.assign(new MouseEvent(name, { bubbles: true, clientX }), { pointerType }),
  );
}

test('if a swipe turns into scrolling, the toast stays and moves back to its place', async () => {
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(350);
  await say(() => showToast.success('one'));
  point('pointerdown', 'touch', 100);
  point('pointermove', 'touch', 120);
  expect(toasts()[0]?.style.transform).toContain('20px');
  point('pointercancel', 'touch', 0);
  point('pointermove', 'touch', 300);
  expect(texts()).toEqual(['one']);
  expect(toasts()[0]?.style.transform).toBe('');
});

test('dragging a toast with the mouse does not dismiss the toast', async () => {
  await say(() => showToast.success('one'));
  point('pointerdown', 'mouse', 100);
  point('pointermove', 'mouse', 300);
  point('pointerup', 'mouse', 300);
  expect(texts()).toEqual(['one']);
});
