import { fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { changeLanguage } from '#web/lib/i18n.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink, LinkButton } from '#web/ui/button.tsx';
import { ConfirmButtons } from '#web/ui/confirm-buttons.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { PartNotLoaded } from '#web/ui/part-not-loaded.tsx';
import { startUser } from './support/user.ts';

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

test('a banner that waits for its sentence is the one that says it, which is why it is read out', () => {
  const { rerender } = render(<Banner tone="success">{null}</Banner>);
  const place = screen.getByRole('status');
  expect(place).toBeEmptyDOMElement();
  rerender(<Banner tone="success">Imehifadhiwa</Banner>);
  expect(screen.getByRole('status')).toBe(place);
  expect(place).toHaveTextContent('Imehifadhiwa');
});

test('a button is pressed, and sends no form unless it is told to', async () => {
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
  ['busy without words for it', { isBusy: true }, 'Send', { 'aria-disabled': 'true', 'aria-busy': 'true' }],
  ['locked', { isLocked: true, busyLabel: 'Sending…' }, 'Send', { 'aria-disabled': 'true', 'aria-busy': null }],
] as const)(
  'a button that is %s can be reached and does nothing, nor does Enter in a field',
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

test('what a button says while it is busy stands in the page from the start', () => {
  show(<Button busyLabel="Sending…">Send</Button>);
  expect(screen.getByRole('button', { name: 'Send' })).toHaveAttribute('data-busy-label', 'Sending…');
});

test('links that look like buttons are links, and what they show beside their words is not read out', () => {
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
] as const)('of a banner of %s a screen reader hears as of an %s', (tone, role) => {
  show(<Banner tone={tone}>Something happened</Banner>);
  expect(screen.getByRole(role)).toHaveTextContent('Something happened');
});

test('a badge says in words what its colour and its sign say', () => {
  show(
    <Badge tone="lost" icon="search">
      Lost
    </Badge>,
  );
  expect(screen.getByText('Lost').querySelector('svg')).not.toBeNull();
});

test('out of a question or on, and on only once', async () => {
  const onCancel = vi.fn();
  const onConfirm = vi.fn();
  const user = show(<ConfirmButtons label="Delete" isBusy={false} onCancel={onCancel} onConfirm={onConfirm} />);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect([onCancel.mock.calls.length, onConfirm.mock.calls.length]).toEqual([1, 0]);
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  expect([onCancel.mock.calls.length, onConfirm.mock.calls.length]).toEqual([1, 1]);
});

test('while a question is being answered, out of it is still a way', async () => {
  const onCancel = vi.fn();
  const onConfirm = vi.fn();
  const user = show(<ConfirmButtons label="Delete" isBusy onCancel={onCancel} onConfirm={onConfirm} />);
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect([onCancel.mock.calls.length, onConfirm.mock.calls.length]).toEqual([1, 0]);
});

test('without a step of its own the second button sends the form', () => {
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

test('where nothing is, it says so: as the page’s heading where it is the page', () => {
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

test('what could not be loaded is said at once, and asked for again once', async () => {
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

test('while it is asked for again it is not asked for twice, and what a toast says is not said twice', async () => {
  const refetch = vi.fn(async () => undefined);
  const user = show(<LoadFailure title="No posts" query={{ isFetching: true, refetch }} isToasted />);
  expect(screen.queryByRole('alert')).toBeNull();
  const button = screen.getByRole('button', { name: 'Try again' });
  expect(button).toHaveAttribute('aria-busy', 'true');
  await user.click(button);
  expect(refetch).not.toHaveBeenCalled();
});

test('a part that is being loaded again is not asked for twice', async () => {
  const onRetry = vi.fn();
  const user = show(<PartNotLoaded isLoading onRetry={onRetry} />);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(onRetry).not.toHaveBeenCalled();
});
