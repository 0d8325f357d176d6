import { useSyncExternalStore } from 'react';
import { withLock } from './with-lock.ts';

/** Keys in local storage (docs/product.md A7). */
const TOKEN_KEY = 'token';
const USER_ID_KEY = 'userID';

/** Whose notices are pushed to this phone (push-subscription.ts); nobody's once they sign out. */
export const PUSH_KEY = 'push';
/** Since when the token is the one there is, or was last asked for (renew-token.ts). */
export const TOKEN_SINCE_KEY = 'tokenSince';

const LOCK = 'patikana-session';
/** What one tab writes to local storage reaches another process a moment late. */
const STORAGE_LAG_MS = 500;

export type Session = { token: string; userId: string };
/**
 * `expired`: the server refused the token. `renewed`: the same person goes on with another token. `elsewhere`: another
 * tab signed in or out.
 */
type SessionChange = 'signed-in' | 'signed-out' | 'expired' | 'renewed' | 'elsewhere';

type Listener = (session: Session | null, change: SessionChange) => void;
const listeners = new Set<Listener>();
let current = readStored();
let changesElsewhere = 0;

export function getSession(): Session | null {
  return current;
}

export function useSession(): Session | null {
  return useSyncExternalStore(onSessionChange, getSession, () => null);
}

/**
 * Another value whenever another tab has signed this one's person out, or somebody else in: the key of what holds one
 * person's data, which is to begin anew then. What a visitor has before them is nobody's, and stays.
 */
export function useChangesElsewhere(): number {
  return useSyncExternalStore(
    onSessionChange,
    () => changesElsewhere,
    () => 0,
  );
}

export function onSessionChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function signInAs(session: Session): void {
  store(session);
  announce('signed-in');
}

export function signOut(): void {
  clearStored();
  localStorage.removeItem(PUSH_KEY);
  announce('signed-out');
}

/**
 * Ends the session that the server refused. A refusal that comes late, of a token since replaced, is ignored, and while
 * one is being replaced in any tab its end is waited for.
 */
export async function expireSession(refusedToken: string): Promise<void> {
  await withLock(LOCK, () => {
    if (current?.token !== refusedToken || readStored()?.token !== refusedToken) return;
    clearStored();
    announce('expired');
  });
}

/**
 * Goes on with the token that `ask` gives, in every tab; the one before may be dead by then. Null leaves all as it is.
 * @throws what `ask` throws.
 */
export function replaceToken(ask: () => Promise<string | null>): Promise<void> {
  return new Promise((resolve, reject) => {
    void withLock(LOCK, async () => {
      const { userId } = current ?? {};
      try {
        const token = await ask();
        // Whoever has signed out meanwhile stays so.
        if (token !== null && userId !== undefined && current?.userId === userId) {
          store({ token, userId });
          announce('renewed');
        }
        resolve();
        await new Promise((release) => setTimeout(release, STORAGE_LAG_MS));
      } catch (error) {
        reject(error);
      }
    });
  });
}

function announce(change: SessionChange): void {
  const former = current;
  current = readStored();
  if (change === 'elsewhere' && former !== null && former.userId !== current?.userId) changesElsewhere++;
  for (const listener of [...listeners]) listener(current, change);
}

function store({ token, userId }: Session): void {
  localStorage.setItem(TOKEN_SINCE_KEY, String(Date.now()));
  localStorage.setItem(TOKEN_KEY, token);
  localStorage.setItem(USER_ID_KEY, userId);
}

function clearStored(): void {
  localStorage.removeItem(TOKEN_KEY);
  localStorage.removeItem(USER_ID_KEY);
}

function readStored(): Session | null {
  // The build renders the home page without a browser.
  if (typeof window === 'undefined') return null;
  const token = localStorage.getItem(TOKEN_KEY);
  const userId = localStorage.getItem(USER_ID_KEY);
  return token && userId ? { token, userId } : null;
}

/** Another tab writes two keys, one after the other, or clears the whole storage; much else is written there besides. */
function noticeOtherTab(): void {
  const stored = readStored();
  if (stored?.userId !== current?.userId) announce('elsewhere');
  else if (stored?.token !== current?.token) announce('renewed');
}

if (typeof window !== 'undefined') window.addEventListener('storage', noticeOtherTab);
