import { HttpResponse, http } from 'msw';
import { onTestFinished, vi } from 'vitest';
import { DEFAULT_NOTICE_SETTINGS, type NoticeSettings } from '#contract/channels.ts';
import { refuse } from './posts.ts';
import { server } from './setup.ts';

type Options = {
  permission?: NotificationPermission;
  /** The user's answer when the browser asks whether the site may show notifications. */
  answer?: NotificationPermission;
  subscribed?: { endpoint: string; key: string };
};

/** The server's public push key in base64url. The simulated browser checks no keys, so this is no real P-256 point. */
export const KEY = 'BAECAwQFBgcICQoLDA0ODw';
export const OTHER_KEY = 'BHECAwQFBgcICQoLDA0ODw';

/**
 * Simulates a browser with at most one push subscription at a time, because jsdom has no notifications, pushes or
 * service workers.
 */
export function stubPushBrowser({ permission = 'default', answer = 'granted', subscribed }: Options = {}) {
  const seen = { asked: 0, subscribed: [] as string[], unsubscribed: [] as string[], posted: [] as unknown[] };
  const notifications: { tag: string; isClosed: boolean; close(): void }[] = [];
  const worker = new EventTarget();
  let count = 0;
  let current: ReturnType<typeof makeSubscription> | null = null;

  function makeSubscription(endpoint: string, key: ArrayBuffer) {
    return {
      endpoint,
      options: { applicationServerKey: key },
      toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
      unsubscribe: async () => {
        seen.unsubscribed.push(endpoint);
        current = null;
        return true;
      },
    };
  }
  const bytesOf = (key: string) => Uint8Array.from(atob(key.replaceAll('-', '+')), (c) => c.charCodeAt(0)).buffer;
  if (subscribed) current = makeSubscription(subscribed.endpoint, bytesOf(subscribed.key));

  const registration = Object.assign(new EventTarget(), {
    active: { postMessage: (message: unknown) => seen.posted.push(message) },
    getNotifications: async () => notifications.filter(({ isClosed }) => !isClosed),
    pushManager: {
      getSubscription: async () => current,
      subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array<ArrayBuffer> }) => {
        current = makeSubscription(`https://push.example/${++count}`, applicationServerKey.buffer);
        seen.subscribed.push(current.endpoint);
        return current;
      },
    },
  });
  Object.assign(worker, {
    ready: Promise.resolve(registration),
    register: async () => registration,
    getRegistration: async () => registration,
  });
  const Notification = {
    permission,
    requestPermission: async () => {
      seen.asked++;
      Notification.permission = answer;
      return answer;
    },
  };
  vi.stubGlobal('Notification', Notification);
  vi.stubGlobal('PushManager', class {});
  Object.defineProperty(navigator, 'serviceWorker', { value: worker, configurable: true });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(navigator, 'serviceWorker');
  });
  return {
    seen,
    endpoint: () => current?.endpoint ?? null,
    show(tag: string) {
      const notification = {
        tag,
        isClosed: false,
        close() {
          notification.isClosed = true;
        },
      };
      notifications.push(notification);
      return notification;
    },
    /** Sends the page a message from the service worker. */
    tell(data: unknown, ports: { postMessage(message: unknown): void }[] = []) {
      worker.dispatchEvent(Object.assign(new Event('message'), { data, ports }));
    },
  };
}

/**
 * Serves the push endpoints, and records the requests with their tokens. @param key null if the server sends no pushes.
 */
export function servePush({ key = KEY as string | null, settings = DEFAULT_NOTICE_SETTINGS } = {}) {
  const heard = {
    put: [] as [string, string | null][],
    deleted: [] as [string, string | null][],
    saved: [] as unknown[],
  };
  const served = { key, settings: settings as NoticeSettings };
  const tokenOf = (request: Request) => request.headers.get('Authorization');
  server.use(
    http.get('*/api/push/key', () =>
      served.key === null ? refuse(404, 'push_unavailable') : HttpResponse.json({ public_key: served.key }),
    ),
    http.put('*/api/push/subscriptions', async ({ request }) => {
      const { endpoint } = (await request.json()) as { endpoint: string };
      heard.put.push([endpoint, tokenOf(request)]);
      return new HttpResponse(null, { status: 204 });
    }),
    http.delete('*/api/push/subscriptions', async ({ request }) => {
      const { endpoint } = (await request.json()) as { endpoint: string };
      heard.deleted.push([endpoint, tokenOf(request)]);
      return new HttpResponse(null, { status: 204 });
    }),
    // Logging out sends this request to end the session.
    http.delete('*/api/me/devices/current', () => new HttpResponse(null, { status: 204 })),
    http.get('*/api/me/notice-settings', () => HttpResponse.json(served.settings)),
    http.put('*/api/me/notice-settings', async ({ request }) => {
      served.settings = (await request.json()) as NoticeSettings;
      heard.saved.push(served.settings);
      return HttpResponse.json(served.settings);
    }),
  );
  return { heard, served };
}
