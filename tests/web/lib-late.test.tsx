import { act, render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { changeLanguage, currentLanguage, startI18n } from '#web/lib/i18n.ts';
import { useLate } from '#web/lib/use-late.ts';
import { useOwnTitle, useTitle } from '#web/lib/use-title.ts';
import './support/setup.ts';

afterEach(() => changeLanguage('en'));

const Part: ComponentType = () => <p>The part</p>;

function Late({ load, isWanted = true }: { load: () => Promise<ComponentType>; isWanted?: boolean }) {
  const Loaded = useLate(load, isWanted);
  return Loaded ? <Loaded /> : <p>Without it</p>;
}

const goOnline = () => act(async () => void window.dispatchEvent(new Event('online')));

test('a part that cannot be had is done without, and comes when the network is back', async () => {
  const load = vi.fn<() => Promise<ComponentType>>().mockRejectedValueOnce(new TypeError('Failed to fetch'));
  load.mockResolvedValue(Part);
  const { rerender, unmount } = render(<Late load={load} isWanted={false} />);
  await goOnline();
  expect(load).not.toHaveBeenCalled();
  rerender(<Late load={load} />);
  await act(async () => undefined);
  expect(screen.getByText('Without it')).toBeInTheDocument();
  await goOnline();
  expect(screen.getByText('The part')).toBeInTheDocument();
  await goOnline();
  expect(load).toHaveBeenCalledTimes(2);
  unmount();
});

test('a screen that is left asks for nothing more', async () => {
  const load = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));
  const { unmount } = render(<Late load={load} />);
  unmount();
  await goOnline();
  expect(load).toHaveBeenCalledTimes(1);
});

test('the language that is chosen is the page’s, and kept for the next visit where it can be', async () => {
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

test('a tab is named by what its screen shows, or else by the screen', () => {
  const { rerender, unmount } = render(<Screen />);
  expect(document.title).toBe('Posts · Patikana');
  rerender(<Screen own="Funguo" />);
  expect(document.title).toBe('Funguo · Patikana');
  rerender(<Screen own="Pochi" />);
  expect(document.title).toBe('Pochi · Patikana');
  unmount();
  expect(document.title).toBe('Posts · Patikana');
});
