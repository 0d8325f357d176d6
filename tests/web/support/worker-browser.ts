import { onTestFinished, vi } from 'vitest';

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

/** jsdom has no service workers: simulates a browser with one of the app's. */
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

/** jsdom cannot reload. @returns the number of requested reloads. */
export function stubReload() {
  const reload = vi.fn();
  const { href, origin, pathname, search, hash, protocol, host } = window.location;
  vi.stubGlobal('location', { href, origin, pathname, search, hash, protocol, host, reload });
  onTestFinished(() => void vi.unstubAllGlobals());
  return reload;
}
