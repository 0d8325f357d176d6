import { useSyncExternalStore } from 'react';

/** Local storage keys named by the specification (§3). */
const TOKEN_KEY = 'token';
const USER_ID_KEY = 'userID';

export type Session = { token: string; userId: string };
/** `expired`: the server refused the token. `elsewhere`: another tab signed in or out. */
type SessionChange = 'signed-in' | 'signed-out' | 'expired' | 'elsewhere';

type Listener = (session: Session | null, change: SessionChange) => void;
const listeners = new Set<Listener>();
let current = readStored();

export function getSession(): Session | null {
  return current;
}

export function useSession(): Session | null {
  return useSyncExternalStore(onSessionChange, getSession, () => null);
}

export function onSessionChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function signInAs(session: Session): void {
  localStorage.setItem(TOKEN_KEY, session.token);
  localStorage.setItem(USER_ID_KEY, session.userId);
  announce('signed-in');
}

export function signOut(): void {
  clearStored();
  announce('signed-out');
}

/** Ends the session that the server refused. A refusal that comes late, of a token since replaced, is ignored. */
export function expireSession(refusedToken: string): void {
  if (current?.token !== refusedToken) return;
  clearStored();
  announce('expired');
}

function announce(change: SessionChange): void {
  current = readStored();
  for (const listener of [...listeners]) listener(current, change);
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
  if (stored?.token !== current?.token || stored?.userId !== current?.userId) announce('elsewhere');
}

if (typeof window !== 'undefined') window.addEventListener('storage', noticeOtherTab);
