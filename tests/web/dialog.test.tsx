import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Dialog } from '#web/ui/dialog.tsx';

function openDialog() {
  const onClose = vi.fn();
  render(
    <Dialog title="Reject" onClose={onClose}>
      <input aria-label="Reason" />
    </Dialog>,
  );
  return { onClose, dialog: screen.getByRole('dialog'), field: screen.getByLabelText('Reason') };
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
