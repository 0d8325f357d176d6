import { act, fireEvent, render, screen } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { MemoryRouter } from 'react-router';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { startUser } from '#tests/web/support/render-screen.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';
import { areNoticesHeld, setWaitingNotices } from '#web/lib/notice-signals.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink, LinkButton } from '#web/ui/button.tsx';
import { ConfirmButtons, Dialog } from '#web/ui/dialogs.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PartNotLoaded } from '#web/ui/late.tsx';
import { LoadFailure } from '#web/ui/query-state.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

describe('buttons, banners and messages', () => {
  beforeEach(() => changeLanguage('en'));

  function show(part: ReactNode) {
    render(<MemoryRouter>{part}</MemoryRouter>);
    return startUser();
  }

  const FREE = { 'aria-disabled': null, 'aria-busy': null };
  const attributesOf = (element: HTMLElement) => ({
    'aria-disabled': element.getAttribute('aria-disabled'),
    'aria-busy': element.getAttribute('aria-busy'),
  });

  test('if an empty banner gets a text, a screen reader announces the text', () => {
    const { rerender } = render(<Banner tone="success">{null}</Banner>);
    const place = screen.getByRole('status');
    expect(place).toBeEmptyDOMElement();
    rerender(<Banner tone="success">Imehifadhiwa</Banner>);
    expect(screen.getByRole('status')).toBe(place);
    expect(place).toHaveTextContent('Imehifadhiwa');
  });

  test('a button submits the form around it only if its type is “submit”', async () => {
    const onClick = vi.fn();
    const onSubmit = vi.fn((event: React.FormEvent) => event.preventDefault());
    const user = show(
      <form onSubmit={onSubmit}>
        <Button onClick={onClick}>Look</Button>
        <Button type="submit">Send</Button>
      </form>,
    );
    await user.click(screen.getByRole('button', { name: 'Look' }));
    expect(onClick).toHaveBeenCalledOnce();
    expect(onSubmit).not.toHaveBeenCalled();
    expect(attributesOf(screen.getByRole('button', { name: 'Look' }))).toEqual(FREE);
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(onSubmit).toHaveBeenCalledOnce();
  });

  test.each([
    ['busy', { isBusy: true, busyLabel: 'Sending…' }, 'Sending…', { 'aria-disabled': 'true', 'aria-busy': 'true' }],
    ['busy but has no busy label', { isBusy: true }, 'Send', { 'aria-disabled': 'true', 'aria-busy': 'true' }],
    ['locked', { isLocked: true, busyLabel: 'Sending…' }, 'Send', { 'aria-disabled': 'true', 'aria-busy': null }],
  ] as const)(
    'a button that is %s can be focused and does nothing, also if the user presses Enter in a field of its form',
    async (_state, state, name, attributes) => {
      const onClick = vi.fn();
      const onSubmit = vi.fn();
      const user = show(
        <form onSubmit={onSubmit}>
          <input aria-label="Message" />
          <Button type="submit" onClick={onClick} {...state}>
            Send
          </Button>
        </form>,
      );
      const button = screen.getByRole('button', { name });
      expect(attributesOf(button)).toEqual(attributes);
      expect(button).toBeEnabled();
      await user.click(button);
      expect(button).toHaveFocus();
      await user.type(screen.getByRole('textbox'), 'Asante{Enter}');
      expect(onClick).not.toHaveBeenCalled();
      expect(onSubmit).not.toHaveBeenCalled();
    },
  );

  test('a button’s label for the busy state is in the HTML from the start', () => {
    show(<Button busyLabel="Sending…">Send</Button>);
    expect(screen.getByRole('button', { name: 'Send' })).toHaveAttribute('data-busy-label', 'Sending…');
  });

  test('a link styled as a button has the role “link”, and the link’s icon is hidden from screen readers', () => {
    show(
      <>
        <ButtonLink to="/posts/1" icon="tag">
          This is mine
        </ButtonLink>
        <LinkButton href="tel:0712345678" icon="phone" target="_blank">
          Call
        </LinkButton>
      </>,
    );
    expect(screen.getByRole('link', { name: 'This is mine' })).toHaveAttribute('href', '/posts/1');
    const call = screen.getByRole('link', { name: 'Call' });
    expect(call).toHaveAttribute('href', 'tel:0712345678');
    expect(call).toHaveAttribute('target', '_blank');
    for (const picture of document.querySelectorAll('svg')) expect(picture).toHaveAttribute('aria-hidden', 'true');
    expect(document.querySelectorAll('svg')).toHaveLength(2);
  });

  test.each([
    ['error', 'alert'],
    ['success', 'status'],
    ['notice', 'status'],
  ] as const)('a banner of tone “%s” is announced with the role %s', (tone, role) => {
    show(<Banner tone={tone}>Something happened</Banner>);
    expect(screen.getByRole(role)).toHaveTextContent('Something happened');
  });

  test('a badge says in words what its icon and colour mean', () => {
    show(
      <Badge tone="lost" icon="search">
        Lost
      </Badge>,
    );
    expect(screen.getByText('Lost').querySelector('svg')).not.toBeNull();
  });

  test('the cancel button and the confirm button each call their own handler', async () => {
    const onCancel = vi.fn();
    const onConfirm = vi.fn();
    const user = show(<ConfirmButtons label="Delete" isBusy={false} onCancel={onCancel} onConfirm={onConfirm} />);
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect([onCancel.mock.calls.length, onConfirm.mock.calls.length]).toEqual([1, 0]);
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    expect([onCancel.mock.calls.length, onConfirm.mock.calls.length]).toEqual([1, 1]);
  });

  test('while a confirmed action runs, the confirm button does nothing, and the cancel button still calls onCancel', async () => {
    const onCancel = vi.fn();
    const onConfirm = vi.fn();
    const user = show(<ConfirmButtons label="Delete" isBusy onCancel={onCancel} onConfirm={onConfirm} />);
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect([onCancel.mock.calls.length, onConfirm.mock.calls.length]).toEqual([1, 0]);
  });

  test('a confirm button without an action of its own submits the form around the button', () => {
    const onSubmit = vi.fn((event: React.FormEvent) => event.preventDefault());
    show(
      <form onSubmit={onSubmit}>
        <ConfirmButtons label="Send" isBusy={false} onCancel={() => undefined} />
      </form>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onSubmit).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('button', { name: 'Send' }));
    expect(onSubmit).toHaveBeenCalledOnce();
  });

  test('an empty state that fills the page is the page’s main heading; any other empty state is not a heading', () => {
    show(
      <>
        <EmptyState icon="search" title="Page not found" text="It may have moved." isPage>
          <a href="/">Home</a>
        </EmptyState>
        <EmptyState icon="bell" title="No notices" />
      </>,
    );
    expect(screen.getByRole('heading', { level: 1, name: 'Page not found' })).toBeInTheDocument();
    expect(screen.getByText('It may have moved.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Home' })).toBeInTheDocument();
    expect(screen.getAllByRole('heading')).toHaveLength(1);
    expect(screen.getByText('No notices')).toBeInTheDocument();
  });

  test('a message that loading has failed is announced to screen readers, and has a button to try again', async () => {
    const refetch = vi.fn(async () => undefined);
    const user = show(<LoadFailure title="No posts" text="Check." query={{ isFetching: false, refetch }} isPage />);
    expect(screen.getByRole('alert')).toHaveTextContent('No posts');
    expect(screen.getByRole('heading', { level: 1, name: 'No posts' })).toBeInTheDocument();
    expect(screen.getByText('Check.')).toBeInTheDocument();
    const button = screen.getByRole('button', { name: 'Try again' });
    expect(attributesOf(button)).toEqual(FREE);
    await user.click(button);
    expect(refetch).toHaveBeenCalledOnce();
  });

  test('a load error has no alert if a toast shows the error, and its “Try again” does nothing while a retry runs', async () => {
    const refetch = vi.fn(async () => undefined);
    const user = show(<LoadFailure title="No posts" query={{ isFetching: true, refetch }} isToasted />);
    expect(screen.queryByRole('alert')).toBeNull();
    const button = screen.getByRole('button', { name: 'Try again' });
    expect(button).toHaveAttribute('aria-busy', 'true');
    await user.click(button);
    expect(refetch).not.toHaveBeenCalled();
  });

  test('pressing “Try again” while a part of a screen is loading does not request the part again', async () => {
    const onRetry = vi.fn();
    const user = show(<PartNotLoaded isLoading onRetry={onRetry} />);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(onRetry).not.toHaveBeenCalled();
  });
});

const TABS = [
  { name: 'first', label: 'Posts' },
  { name: 'second', label: 'Members' },
  { name: 'third', label: 'Settings' },
] as const;

function Community() {
  const [current, setCurrent] = useState<(typeof TABS)[number]['name']>('first');
  return (
    <Tabs label="The community" tabs={TABS} current={current} onChange={setCurrent}>
      <p>What is in {current}</p>
    </Tabs>
  );
}

function openTabs() {
  render(<Community />);
  return { user: startUser(), tab: (name: string) => screen.getByRole('tab', { name }) };
}

test('the selected tab is the only tab in the tab order, and labels its panel', async () => {
  const { user, tab } = openTabs();
  expect(screen.getByRole('tablist', { name: 'The community' })).toBeInTheDocument();
  expect(tab('Posts')).toHaveAttribute('aria-selected', 'true');
  expect(tab('Members')).toHaveAttribute('aria-selected', 'false');
  expect(screen.getByRole('tabpanel', { name: 'Posts' })).toHaveTextContent('What is in first');
  expect(tab('Posts')).toHaveAttribute('aria-controls', screen.getByRole('tabpanel').id);
  expect(screen.getByRole('tabpanel')).toHaveAttribute('tabindex', '-1');
  await user.tab();
  expect(tab('Posts')).toHaveFocus();
  await user.tab();
  expect(document.body).toHaveFocus();
  await user.click(tab('Members'));
  expect(screen.getByRole('tabpanel', { name: 'Members' })).toHaveTextContent('What is in second');
  expect([tab('Posts'), tab('Members')].map(({ tabIndex }) => tabIndex)).toEqual([-1, 0]);
});

test.each([
  ['ArrowRight', ['Members', 'Settings', 'Posts']],
  ['ArrowLeft', ['Settings', 'Members', 'Posts']],
  ['End', ['Settings', 'Settings']],
] as const)(
  'the keys ArrowRight, ArrowLeft and End select and focus the next, previous and last tab, and show the tab’s panel (key: %s)',
  async (key, names) => {
    const { user, tab } = openTabs();
    await user.tab();
    for (const name of names) {
      await user.keyboard(`{${key}}`);
      expect(tab(name)).toHaveFocus();
      expect(screen.getByRole('tabpanel', { name })).toBeInTheDocument();
    }
  },
);

test('the Home key selects the first tab', async () => {
  const { user, tab } = openTabs();
  await user.click(tab('Settings'));
  await user.keyboard('{Home}');
  expect(tab('Posts')).toHaveFocus();
  expect(screen.getByRole('tabpanel', { name: 'Posts' })).toBeInTheDocument();
});

test('a key that selects another tab does not scroll the page; all other keys work as usual', () => {
  const { tab } = openTabs();
  expect(fireEvent.keyDown(tab('Posts'), { key: 'a' })).toBe(true);
  expect(screen.getByRole('tabpanel', { name: 'Posts' })).toBeInTheDocument();
  expect(fireEvent.keyDown(tab('Posts'), { key: 'End' })).toBe(false);
});

test('pressing a tab inside a form does not submit the form', () => {
  const { tab } = openTabs();
  expect(tab('Posts')).toHaveAttribute('type', 'button');
});

describe('a dialog', () => {
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

  test('closes if the user presses outside it', () => {
    const { onClose, dialog } = openDialog();
    fireEvent.mouseDown(dialog);
    fireEvent.click(dialog);
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('stays open if the user selects text inside and releases the mouse outside', () => {
    const { onClose, dialog, field } = openDialog();
    // If a press begins inside the dialog and ends outside, a browser reports a click on their common ancestor.
    fireEvent.mouseDown(field);
    fireEvent.click(dialog);
    expect(onClose).not.toHaveBeenCalled();
  });

  test('stays open if the user presses inside it', () => {
    const { onClose, field } = openDialog();
    fireEvent.mouseDown(field);
    fireEvent.click(field);
    expect(onClose).not.toHaveBeenCalled();
  });

  test('stays open if a press begins outside the dialog and ends inside', () => {
    const { onClose, dialog, field } = openDialog();
    fireEvent.mouseDown(dialog);
    fireEvent.click(field);
    expect(onClose).not.toHaveBeenCalled();
  });

  test('is open as soon as it is rendered, has its title as its accessible name, and has a close button', () => {
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
    // The browser returns the focus only if the dialog is closed before it is removed.
    expect(closed).toHaveBeenCalledOnce();
  });

  test('on Escape calls onClose, and does not close itself', () => {
    const { onClose, dialog } = openDialog();
    expect(fireEvent(dialog, new Event('cancel', { cancelable: true }))).toBe(false);
    expect(onClose).toHaveBeenCalledOnce();
    expect(dialog).toHaveAttribute('open');
  });

  test.each([
    ['en', 1, '1 notice is waiting until you close this.'],
    ['sw', 2, /^Arifa 2/],
  ] as const)(
    'holds notices back while open, and shows the number of waiting notices (language: %s, number: %i)',
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
});
