import { onTestFinished, vi } from 'vitest';
import { noteServerTime } from '#web/lib/server-time.ts';

/**
 * Lets the test advance the timers. Between these advances, the timers run at a fifth of their speed: the timers of
 * Testing Library and user-event still end, but on a busy machine no delay of the app ends before the test expects it.
 */
export function holdTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const creeping = setInterval(() => vi.advanceTimersByTime(1), 5);
  onTestFinished(() => {
    clearInterval(creeping);
    vi.useRealTimers();
  });
}

/**
 * Stops the clock of the phone and the mocked server, and every countdown, until the test moves the time.
 * Other delays run normally.
 */
export function holdClock(): void {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  noteServerTime(new Headers({ Date: new Date().toISOString() }));
  onTestFinished(() => void vi.useRealTimers());
}

/** @returns a function that brings the network back without firing the browser's `online` event. */
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

/** Replaces the browser's share function; undefined removes it. */
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

/** Sets the index of a history entry as the browser's router does; the tests' router does not. */
export function atStep(idx: number): void {
  window.history.replaceState({ idx }, '');
  onTestFinished(() => window.history.replaceState(null, ''));
}

export type Version = ReturnType<typeof aVersion>;

/** A version of the service worker, as its page sees it. */
export function aVersion(state: ServiceWorkerState) {
  const heard: unknown[] = [];
  const version = Object.assign(new EventTarget(), {
    state,
    heard,
    postMessage: (message: unknown) => void heard.push(message),
    become(next: ServiceWorkerState) {
      version.state = next;
      version.dispatchEvent(new Event('statechange'));
    },
  });
  return version;
}

type Options = { waiting?: Version; installing?: Version; isFirstVisit?: boolean };

/** jsdom has no service workers: simulates a browser with an active service worker of the app. */
export function stubWorkerBrowser({ waiting, installing, isFirstVisit = false }: Options = {}) {
  const active = aVersion('activated');
  const registration = Object.assign(new EventTarget(), {
    active,
    waiting: waiting ?? null,
    installing: installing ?? null,
    update: vi.fn(async () => undefined),
  });
  const workers = Object.assign(new EventTarget(), {
    controller: isFirstVisit ? null : active,
    ready: Promise.resolve(registration),
    register: vi.fn(async (_address: string, _options: RegistrationOptions) => registration),
    getRegistration: async (): Promise<typeof registration | undefined> => registration,
  });
  Object.defineProperty(navigator, 'serviceWorker', { value: workers, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'serviceWorker'));
  return {
    active,
    registration,
    workers,
    /** The browser has found a new version and starts installing it. */
    find(version: Version) {
      registration.installing = version;
      registration.dispatchEvent(new Event('updatefound'));
    },
    /** The new version is installed, and waits until the user lets it take over. */
    install(version: Version) {
      registration.installing = null;
      registration.waiting = version;
      version.become('installed');
    },
    takeOver: () => void workers.dispatchEvent(new Event('controllerchange')),
  };
}

/** jsdom cannot reload. @returns a mock that records the requested reloads. */
export function stubReload() {
  const reload = vi.fn();
  const { href, origin, pathname, search, hash, protocol, host } = window.location;
  vi.stubGlobal('location', { href, origin, pathname, search, hash, protocol, host, reload });
  onTestFinished(() => void vi.unstubAllGlobals());
  return reload;
}

type Lock = { name: string };
type LockOptions = { ifAvailable?: boolean; steal?: boolean; signal?: AbortSignal };
type LockWork = (lock: Lock | null) => unknown;
type Held = { lock: Lock; fail: (reason: unknown) => void };
type Waiting = { name: string; start: () => void };

/** Simulates what the app uses of the Web Locks API, including locks held by other tabs. jsdom has no such API. */
function makeLocks() {
  const held = new Map<string, Held>();
  let waiting: Waiting[] = [];

  function hold(name: string, work: LockWork): Promise<unknown> {
    return new Promise((resolve, fail) => {
      const mine: Held = { lock: { name }, fail };
      held.set(name, mine);
      Promise.resolve(mine.lock)
        .then(work)
        .then(resolve, fail)
        .finally(() => {
          if (held.get(name) === mine) letGo(name);
        });
    });
  }

  function letGo(name: string): void {
    held.delete(name);
    const next = waiting.find((one) => one.name === name);
    waiting = waiting.filter((one) => one !== next);
    next?.start();
  }

  function queue(name: string, work: LockWork, signal?: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const mine: Waiting = { name, start: () => hold(name, work).then(resolve, reject) };
      waiting.push(mine);
      signal?.addEventListener('abort', () => {
        waiting = waiting.filter((one) => one !== mine);
        reject(signal.reason);
      });
    });
  }

  function request(name: string, ...rest: [LockWork] | [LockOptions, LockWork]): Promise<unknown> {
    const [options, work] = rest.length === 2 ? rest : [{} as LockOptions, rest[0]];
    if (options.signal?.aborted) return Promise.reject(options.signal.reason);
    const holder = held.get(name);
    if (holder && options.ifAvailable) return Promise.resolve(work(null));
    if (holder && !options.steal) return queue(name, work, options.signal);
    const granted = hold(name, work);
    holder?.fail(new DOMException('Another tab has taken it.', 'AbortError'));
    return granted;
  }

  return { request };
}

/** Simulates a browser with the Web Locks API (`navigator.locks`) until the end of the test. */
export function stubLocks(): void {
  Object.defineProperty(navigator, 'locks', { value: makeLocks(), configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'locks'));
}
