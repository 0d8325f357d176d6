import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { DAY_MS } from '#contract/durations.ts';
import { ApiError, api } from '#web/api/client.ts';
import { getSession, onSessionChange, replaceToken, TOKEN_SINCE_KEY } from '#web/api/session.ts';
import { settlePushes, unsubscribe } from '#web/push/subscription.ts';

/** Background tasks of a signed-in user. Renders nothing. */
export function Errands() {
  useTokenRenewal();
  useSessionEnd();
  usePushes();
  useNotificationPresses();
  return null;
}

/** Renews the token when the app opens, and when the user returns to a page left open for days. */
function useTokenRenewal(): void {
  useEffect(() => {
    const renew = () => document.visibilityState === 'visible' && getSession() !== null && void renewOldToken();
    renew();
    document.addEventListener('visibilitychange', renew);
    return () => document.removeEventListener('visibilitychange', renew);
  }, []);
}

/** Ends the session on the server when the user signs out. If the request is lost, the token expires later. */
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

/** Subscribes this phone to the signed-in user's pushes, and ends the subscription when the user signs out. */
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

/** Only logs a failed change of the push subscription: the app tries again at its next start. */
function warn(error: unknown): void {
  console.warn('The pushes of this phone could not be settled:', error);
}

/**
 * Opens the address of a notification that the user has pressed, if the service worker sends the address to this page.
 * Confirms to the service worker that the page opens the address.
 */
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

/** Keeps regular users signed in: one tab replaces the token for all tabs, at most once a day. */
export async function renewOldToken(): Promise<void> {
  if (!isOld()) return;
  try {
    await replaceToken(async () => {
      // Another tab may have renewed the token while this one waited for the lock.
      return isOld() ? askForToken() : null;
    });
  } catch {
    // A failed renewal does no harm: the current token remains valid for weeks.
  }
}

async function askForToken(): Promise<string> {
  const before = localStorage.getItem(TOKEN_SINCE_KEY) ?? '0';
  localStorage.setItem(TOKEN_SINCE_KEY, String(Date.now()));
  try {
    return (await api('POST /me/token')).access_token;
  } catch (error) {
    // Without a response the request may not have reached the server, so the app requests a token again soon.
    if (error instanceof ApiError && error.status === 0) localStorage.setItem(TOKEN_SINCE_KEY, before);
    throw error;
  }
}

function isOld(): boolean {
  return Date.now() - Number(localStorage.getItem(TOKEN_SINCE_KEY) ?? 0) >= DAY_MS;
}
