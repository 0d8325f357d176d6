import { closeEnded, endNotices, openApp, renewSubscription } from './notifications.ts';
import { addressToOpen, toNotice } from './pushed-notice.ts';
import { addMissing, findPage, KEPT_VERSIONS, type ShellFile, shellName } from './shell-cache.ts';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: ShellFile[] };

/**
 * The app's files, listed by the build. `core`: the files that every visit needs. `later`: the files for offline use.
 */
const files = self.__WB_MANIFEST;
const core = files.filter(({ url }) => !url.includes('#later'));
const later = files
  .filter(({ url }) => url.includes('#later'))
  .map(({ url, revision }) => ({ url: url.replace('#later', ''), revision }));
const SHELL = shellName(files);

/** `addRoutes` is missing in some browsers and in TypeScript's own types. */
type InstallEvent = ExtendableEvent & { addRoutes?: (rule: object) => Promise<void> };

self.addEventListener('install', (event: InstallEvent) => {
  // API requests bypass this service worker where the browser supports that: when a page closes, half of the requests
  // through a service worker are lost.
  void event.addRoutes?.({ condition: { urlPattern: '/api/*' }, source: 'network' });
  event.waitUntil(addMissing(SHELL, core));
});

// No `skipWaiting` here: a new version takes over only when the user agrees, because a reload would lose a half-filled
// form.
self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const shells = (await caches.keys()).filter((name) => name.startsWith('shell-') && name !== SHELL);
      // Keeps the previous version: another tab may still run it and request its files.
      await Promise.all(shells.slice(0, -(KEPT_VERSIONS - 1)).map((name) => caches.delete(name)));
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('message', (event) => {
  const message = event.data as { type?: unknown; urls?: unknown; ids?: unknown } | null;
  if (message?.type === 'take-over') event.waitUntil(self.skipWaiting());
  if (message?.type === 'keep' && Array.isArray(message.urls)) {
    const urls = message.urls.filter((url) => typeof url === 'string' && url.startsWith('/assets/')) as string[];
    event.waitUntil(
      addMissing(
        SHELL,
        urls.map((url) => ({ url, revision: null })),
      ),
    );
  }
  if (message?.type === 'keep-all') event.waitUntil(addMissing(SHELL, later));
  if (message?.type === 'notices-ended' && Array.isArray(message.ids)) {
    event.waitUntil(endNotices(message.ids.filter((id) => typeof id === 'string')));
  }
});

self.addEventListener('push', (event) => {
  const { title, options } = toNotice(event.data?.text() ?? null);
  event.waitUntil(self.registration.showNotification(title, options).then(() => closeEnded(options.tag)));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openApp(addressToOpen(event.notification.data, event.action)));
});

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription(event)));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  // API responses are never cached: they belong to one user, and the phone's next user may be another. The pages and
  // pictures that the Worker makes for a post are not cached either, because they must disappear with the post.
  if (/^\/(api|ws|dev|p|photos)(\/|$)/.test(url.pathname)) return;
  if (request.mode === 'navigate') event.respondWith(answerPage(request));
  else event.respondWith(answerFile(request));
});

async function answerPage(request: Request): Promise<Response> {
  return (await findPage(SHELL)) ?? fetch(request);
}

async function answerFile(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}
