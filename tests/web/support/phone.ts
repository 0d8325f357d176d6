import { onTestFinished, vi } from 'vitest';

/** From here on the screens' delays pass when the test says so. */
export function holdTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
}

/** @returns what says that the phone has a network again, without an event. */
export function loseNetwork(): () => void {
  const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  onTestFinished(() => network.mockRestore());
  return () => void network.mockReturnValue(true);
}

/** Nothing more can be kept on the phone, of which the log is told. */
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

/** The phone's own way of sharing, or none. */
export function stubShare(share: undefined | ((data: ShareData) => Promise<void>)): void {
  Object.defineProperty(navigator, 'share', { value: share, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'share'));
}

/** As on a page that was not loaded over HTTPS, such as one of another machine in the house. */
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
