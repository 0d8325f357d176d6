import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { changeLanguage } from '#web/lib/i18n.ts';
import { OfflineBars } from '#web/offline/offline-bars.tsx';
import { loseNetwork } from './support/phone.ts';

test.each([
  ['en', 'You are offline. You can still read what you opened before.'],
  ['sw', 'Huna mtandao. Bado unaweza kusoma ulichofungua awali.'],
] as const)('the bar comes when the network goes, and goes when it comes back, in %s', async (language, sentence) => {
  await changeLanguage(language);
  const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  onTestFinished(() => network.mockRestore());
  const turn = (isOnline: boolean) => {
    network.mockReturnValue(isOnline);
    act(() => void fireEvent(window, new Event(isOnline ? 'online' : 'offline')));
  };
  render(<OfflineBars />);
  expect(screen.queryByText(sentence)).toBeNull();
  turn(false);
  // In a region that was there before, so that it is read out.
  expect(screen.getByRole('status')).toHaveTextContent(sentence);
  // And nothing with it that was read before.
  expect(screen.getByRole('status')).toHaveAttribute('aria-atomic', 'false');
  turn(true);
  expect(screen.queryByText(sentence)).toBeNull();
  turn(false);
  expect(screen.getByText(sentence)).toBeInTheDocument();
});

test('whoever opens the app without a network is told at once', async () => {
  await changeLanguage('en');
  loseNetwork();
  render(<OfflineBars />);
  expect(screen.getByText(/^You are offline/)).toBeInTheDocument();
});
