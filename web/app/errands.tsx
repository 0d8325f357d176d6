import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { api } from '#web/lib/api-client.ts';
import { settlePushes, unsubscribe } from '#web/lib/push-subscription.ts';
import { renewOldToken } from '#web/lib/renew-token.ts';
import { getSession, onSessionChange } from '#web/lib/session.ts';

/** What the app does for whoever is signed in without showing anything. */
export function Errands() {
  useTokenRenewal();
  useSessionEnd();
  usePushes();
  useNotificationPresses();
  return null;
}

/** At the opening, and when a page that stood open for days is looked at again. */
function useTokenRenewal(): void {
  useEffect(() => {
    const renew = () => document.visibilityState === 'visible' && getSession() !== null && void renewOldToken();
    renew();
    document.addEventListener('visibilitychange', renew);
    return () => document.removeEventListener('visibilitychange', renew);
  }, []);
}

/** Ends the session at the server when the reader logs out. If the request is lost the token expires by itself. */
function useSessionEnd(): void {
  useEffect(() => {
    let last = getSession();
    return onSessionChange((session, change) => {
      const ended = last;
      last = session;
      if (change !== 'signed-out' || ended === null) return;
      const request = { params: { id: 'current' }, token: ended.token, keepalive: true };
      api('DELETE /me/devices/:id', request).catch(() => undefined);
    });
  }, []);
}

/** Keeps this phone's pushes with the person who has asked for them. */
function usePushes(): void {
  useEffect(() => {
    const settle = () => void settlePushes().catch(warn);
    let last = getSession();
    settle();
    const stop = onSessionChange((session, change) => {
      const ended = last;
      last = session;
      if (change === 'signed-out') unsubscribe(ended).catch(warn);
      else if (change !== 'renewed') settle();
    });
    const hear = ({ data }: MessageEvent) => (data as { type?: unknown } | null)?.type === 'push-changed' && settle();
    navigator.serviceWorker?.addEventListener('message', hear);
    return () => {
      stop();
      navigator.serviceWorker?.removeEventListener('message', hear);
    };
  }, []);
}

/** What could not be settled is tried again when the app is next opened. */
function warn(error: unknown): void {
  console.warn('The pushes of this phone could not be settled:', error);
}

/** A notification was pressed while this page is open: it goes there, and says so to the service worker. */
function useNotificationPresses(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const hear = ({ data, ports }: MessageEvent) => {
      const { type, address } = (data ?? {}) as { type?: unknown; address?: unknown };
      if (type !== 'open' || typeof address !== 'string' || getSession() === null) return;
      ports[0]?.postMessage('opened');
      void navigate(address);
    };
    navigator.serviceWorker?.addEventListener('message', hear);
    return () => navigator.serviceWorker?.removeEventListener('message', hear);
  }, [navigate]);
}
