import { onTestFinished, vi } from 'vitest';
import { noteServerTime } from '#web/lib/server-time.ts';

/**
 * From here on the test advances the screens' delays. Real time runs at a fifth of its speed: Testing Library and
 * user-event need timers without a delay, and a busy machine must not end a delay early.
 */
export function holdTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const creeping = setInterval(() => vi.advanceTimersByTime(1), 5);
  onTestFinished(() => {
    clearInterval(creeping);
    vi.useRealTimers();
  });
}

/** Stops the clock, which is also the server's, and countdowns until the test moves them. Other delays run normally. */
export function holdClock(): void {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  noteServerTime(new Headers({ Date: new Date().toISOString() }));
  onTestFinished(() => void vi.useRealTimers());
}

/** @returns a function that brings the network back without an event. */
export function loseNetwork(): () => void {
  const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  onTestFinished(() => network.mockRestore());
  return () => void network.mockReturnValue(true);
}

/** Makes the phone's storage refuse writes, which the app logs. */
export function fillStorage(): void {
  const store = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('', 'QuotaExceededError');
  });
  const warned = vi.spyOn(console, 'warn').mockReturnValue();
  onTestFinished(() => {
    store.mockRestore();
    warned.mockRestore();
  });
}

/** The phone's own share function, or none. */
export function stubShare(share: undefined | ((data: ShareData) => Promise<void>)): void {
  Object.defineProperty(navigator, 'share', { value: share, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'share'));
}

/** Simulates a page without HTTPS, such as one on another machine in the local network. */
export function leaveHttps(): void {
  const missing = { value: undefined, configurable: true };
  const clipboard = Object.getOwnPropertyDescriptor(navigator, 'clipboard');
  Object.defineProperty(navigator, 'clipboard', missing);
  Object.defineProperty(crypto, 'randomUUID', missing);
  onTestFinished(() => {
    Reflect.deleteProperty(crypto, 'randomUUID');
    Reflect.deleteProperty(navigator, 'clipboard');
    if (clipboard) Object.defineProperty(navigator, 'clipboard', clipboard);
  });
}
