import { DAY_MS } from '#contract/durations.ts';
import { ApiError, api } from '#web/api/client.ts';
import { getSession, PUSH_KEY, type Session, withLock } from '#web/api/session.ts';
import { arePushesAllowed } from './support.ts';

const LOCK = 'patikana-push';
/** How often an unchanged subscription is sent to the server again, in case the server has lost it. */
const PUT_AGAIN_MS = DAY_MS;

/**
 * The user who allowed pushes on this phone, and the endpoint that the server last received. `putAt` is the time when
 * the server received the endpoint; 0 if never.
 */
type Asked = { userId: string; endpoint: string; putAt: number };

/** Whether pushes to this phone are on for the user. */
export function isSubscribed(userId: string): boolean {
  return arePushesAllowed() && readAsked()?.userId === userId;
}

/**
 * Switches pushes on for this user. Call it in a button's event handler, because the browser asks for permission.
 * @returns whether the user gave the permission.
 */
export async function subscribe({ userId }: Session): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  await withLock(LOCK, async () => {
    if (readAsked()?.userId !== userId) await end();
    keep({ userId, endpoint: '', putAt: 0 });
    try {
      await put(userId);
    } catch (error) {
      localStorage.removeItem(PUSH_KEY);
      throw error;
    }
  });
  return true;
}

/**
 * Ends the pushes to this phone, whichever account they are for.
 * @param session authorises the request that deletes the subscription on the server; null sends no request.
 */
export function unsubscribe(session: Session | null): Promise<void> {
  return withLock(LOCK, () => end(session));
}

/** Corrects the subscription if the user, the server's key or the browser's subscription has changed. */
export function settlePushes(): Promise<void> {
  return withLock(LOCK, async () => {
    if (!arePushesAllowed()) return;
    const session = getSession();
    const asked = readAsked();
    const subscription = await currentSubscription();
    if (asked === null || (session !== null && session.userId !== asked.userId)) {
      if (asked || subscription) await end();
      return;
    }
    // The session has expired. The subscription stays for the same user's next sign-in.
    if (session === null) return;
    const isKnown = subscription?.endpoint === asked.endpoint && Date.now() - asked.putAt < PUT_AGAIN_MS;
    if (!isKnown) await put(session.userId);
  });
}

async function put(userId: string): Promise<void> {
  const { public_key } = await api('GET /push/key');
  const key = decodeBase64Url(public_key);
  const { pushManager } = await navigator.serviceWorker.ready;
  let subscription = await pushManager.getSubscription();
  if (subscription && !isOfKey(subscription, key)) {
    await subscription.unsubscribe();
    subscription = null;
  }
  subscription ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = subscription.toJSON();
  const body = { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } };
  await api('PUT /push/subscriptions', { body });
  keep({ userId, endpoint: body.endpoint, putAt: Date.now() });
}

/**
 * Ends the subscription in the browser, and then on the server. If the request to the server is lost, the push service
 * refuses the server's next push, and the server then deletes the subscription.
 */
async function end(session: Session | null = null): Promise<void> {
  localStorage.removeItem(PUSH_KEY);
  const subscription = await currentSubscription();
  if (!subscription) return;
  const { endpoint } = subscription;
  await subscription.unsubscribe();
  const registration = await navigator.serviceWorker.ready;
  for (const notification of await registration.getNotifications()) notification.close();
  if (!session) return;
  try {
    await api('DELETE /push/subscriptions', { body: { endpoint }, token: session.token, keepalive: true });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

function isOfKey({ options }: PushSubscription, key: Uint8Array): boolean {
  const own = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return own.length === key.length && own.every((byte, index) => byte === key[index]);
}

function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(bytes, (letter) => letter.charCodeAt(0));
}

function readAsked(): Asked | null {
  try {
    return JSON.parse(localStorage.getItem(PUSH_KEY) ?? 'null') as Asked | null;
  } catch {
    return null;
  }
}

function keep(asked: Asked): void {
  localStorage.setItem(PUSH_KEY, JSON.stringify(asked));
}
