import '#tests/web/support/setup.ts';
import { act, render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { changeLanguage, currentLanguage, startI18n } from '#web/lib/i18n.ts';
import { forgetFailures, type Late, late } from '#web/lib/late.ts';
import { useOwnTitle, useTitle } from '#web/lib/title.ts';
import { LatePart } from '#web/ui/late.tsx';

afterEach(() => changeLanguage('en'));

test('a failed load is repeated until failures are forgotten', async () => {
  const fetchPart = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new TypeError('Failed to fetch'));
  fetchPart.mockResolvedValue('The code');
  const part: Late<string> = late(fetchPart);
  await expect(part.load()).rejects.toThrow('Failed to fetch');
  await expect(part.load()).rejects.toThrow('Failed to fetch');
  expect(part.get()).toBeNull();
  forgetFailures();
  await expect(part.load()).resolves.toBe('The code');
  expect([part.get(), fetchPart.mock.calls.length]).toEqual(['The code', 2]);
});

const Part: ComponentType = () => <p>The part</p>;

const goOnline = () => act(async () => void window.dispatchEvent(new Event('online')));

test('a part that cannot be loaded is missing until the network returns', async () => {
  const load = vi.fn<() => Promise<ComponentType>>().mockRejectedValueOnce(new TypeError('Failed to fetch'));
  load.mockResolvedValue(Part);
  const part = late(load);
  const { rerender, unmount } = render(<LatePart part={part} isWanted={false} />);
  await goOnline();
  expect(load).not.toHaveBeenCalled();
  rerender(<LatePart part={part} />);
  await act(async () => undefined);
  expect(screen.queryByText('The part')).toBeNull();
  await goOnline();
  expect(screen.getByText('The part')).toBeInTheDocument();
  await goOnline();
  expect(load).toHaveBeenCalledTimes(2);
  unmount();
});

test('a part of a closed screen is not loaded again', async () => {
  const load = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));
  const { unmount } = render(<LatePart part={late(load)} />);
  unmount();
  await goOnline();
  expect(load).toHaveBeenCalledTimes(1);
});

test('a chosen language sets the page’s, and is stored for the next visit if possible', async () => {
  await changeLanguage('sw');
  expect([currentLanguage(), document.documentElement.lang, localStorage.getItem('i18nextLng')]).toEqual([
    'sw',
    'sw',
    'sw',
  ]);
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('', 'QuotaExceededError');
  });
  onTestFinished(() => full.mockRestore());
  await changeLanguage('en');
  expect([currentLanguage(), document.documentElement.lang]).toEqual(['en', 'en']);
});

test.each([
  ['sw', 'sw'],
  ['en', 'en'],
  ['fr', 'en'],
  ['', 'en'],
])('a page whose first script chose %j starts in %s', async (chosen, language) => {
  document.documentElement.lang = chosen;
  await startI18n();
  expect(currentLanguage()).toBe(language);
});

function Screen({ own }: { own?: string }) {
  useTitle('Posts');
  return <Post title={own} />;
}

function Post({ title }: { title: string | undefined }) {
  useOwnTitle(title);
  return null;
}

test('a tab is titled after its content, or else after the screen', () => {
  const { rerender, unmount } = render(<Screen />);
  expect(document.title).toBe('Posts · Patikana');
  rerender(<Screen own="Funguo" />);
  expect(document.title).toBe('Funguo · Patikana');
  rerender(<Screen own="Pochi" />);
  expect(document.title).toBe('Pochi · Patikana');
  unmount();
  expect(document.title).toBe('Posts · Patikana');
});
