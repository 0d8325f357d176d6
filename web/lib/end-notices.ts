import { arePushesAllowed } from './push-support.ts';

/** Has the service worker take down the notifications of notices that were read or acknowledged. */
export function endNotices(ids: string[]): void {
  if (ids.length === 0 || !arePushesAllowed()) return;
  void navigator.serviceWorker.getRegistration().then((registration) => {
    registration?.active?.postMessage({ type: 'notices-ended', ids });
  });
}
