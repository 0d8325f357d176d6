import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { areNoticesHeld, setWaitingNotices } from '#web/lib/held-notices.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { Dialog } from '#web/ui/dialog.tsx';

beforeEach(() => changeLanguage('en'));

function openDialog() {
  const onClose = vi.fn();
  const view = render(
    <Dialog title="Reject" onClose={onClose} backdrop={<p>Behind it all</p>}>
      <input aria-label="Reason" />
    </Dialog>,
  );
  return { ...view, onClose, dialog: screen.getByRole('dialog'), field: screen.getByLabelText('Reason') };
}

test('a press beside a dialog closes it', () => {
  const { onClose, dialog } = openDialog();
  fireEvent.mouseDown(dialog);
  fireEvent.click(dialog);
  expect(onClose).toHaveBeenCalledOnce();
});

test('text that is selected beyond the edge of a dialog leaves it open', () => {
  const { onClose, dialog, field } = openDialog();
  // What a browser reports of a press inside that is let go outside: a click on what holds both.
  fireEvent.mouseDown(field);
  fireEvent.click(dialog);
  expect(onClose).not.toHaveBeenCalled();
});

test('a press in a dialog leaves it open', () => {
  const { onClose, field } = openDialog();
  fireEvent.mouseDown(field);
  fireEvent.click(field);
  expect(onClose).not.toHaveBeenCalled();
});

test('a press that begins beside a dialog and ends in it leaves it open', () => {
  const { onClose, dialog, field } = openDialog();
  fireEvent.mouseDown(dialog);
  fireEvent.click(field);
  expect(onClose).not.toHaveBeenCalled();
});

test('a dialog is open as long as it is there, named by its title, and has a button that closes it', () => {
  const { onClose, dialog, unmount } = openDialog();
  expect(dialog).toHaveAttribute('open');
  expect(dialog).toHaveAccessibleName('Reject');
  expect(screen.getByRole('heading', { level: 2, name: 'Reject' })).toBeInTheDocument();
  expect(screen.getByText('Behind it all')).toBeInTheDocument();
  const close = screen.getByRole('button', { name: 'Close' });
  expect(close).toHaveAttribute('type', 'button');
  fireEvent.click(close);
  expect(onClose).toHaveBeenCalledOnce();
  const closed = vi.spyOn(HTMLDialogElement.prototype, 'close');
  unmount();
  // One that leaves the page while it is open gives no focus back.
  expect(closed).toHaveBeenCalledOnce();
});

test('Escape asks for a dialog to be closed, and leaves that to whoever opened it', () => {
  const { onClose, dialog } = openDialog();
  expect(fireEvent(dialog, new Event('cancel', { cancelable: true }))).toBe(false);
  expect(onClose).toHaveBeenCalledOnce();
  expect(dialog).toHaveAttribute('open');
});

test.each([
  ['en', 1, '1 notice is waiting until you close this.'],
  ['sw', 2, /^Arifa 2/],
] as const)(
  'in %s a dialog says that %i notices wait for its end, and holds them no longer than it is there',
  async (language, count, text) => {
    await changeLanguage(language);
    const { unmount } = openDialog();
    expect(screen.getByRole('status')).toHaveTextContent('');
    await act(async () => setWaitingNotices(count, false));
    expect(screen.getByRole('status')).toHaveTextContent(text);
    expect(areNoticesHeld()).toBe(true);
    await act(async () => setWaitingNotices(0, false));
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
    unmount();
    expect(areNoticesHeld()).toBe(false);
  },
);
