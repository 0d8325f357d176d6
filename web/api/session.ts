import { createEvent, useStore } from '#web/lib/store.ts';

/** Keys in local storage (docs/product.md A7). */
const TOKEN_KEY = 'token';
const USER_ID_KEY = 'userID';

/** Stores the id of the user whose notices are pushed to this phone (push/subscription.ts). Deleted at sign-out. */
export const PUSH_KEY = 'push';
/** The key of the time at which the token was issued or last requested (app/errands.tsx). */
export const TOKEN_SINCE_KEY = 'tokenSince';

const LOCK = 'patikana-session';
/** A write to local storage may reach other tabs this much later. */
const STORAGE_LAG_MS = 500;

export type Session = { token: string; userId: string };
/**
 * `expired`: the server refused the token. `renewed`: the same user has a new token. `elsewhere`: another tab has
 * changed the session.
 */
type SessionChange = 'signed-in' | 'signed-out' | 'expired' | 'renewed' | 'elsewhere';

const changed = createEvent<[session: Session | null, change: SessionChange]>();
export const onSessionChange = changed.on;
let current = readStored();
let changesElsewhere = 0;

export function getSession(): Session | null {
  return current;
}

export function useSession(): Session | null {
  return useStore({ none: null, get: getSession, on: changed.on });
}

/**
 * Returns a number that grows when another tab signs this user out or signs another user in. A component with
 * this number as its React key is then mounted again, without the previous user's data. The number does not grow when a
 * visitor signs in, so a visitor's data stays.
 */
export function useChangesElsewhere(): number {
  return useStore({ none: 0, get: () => changesElsewhere, on: changed.on });
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
 * Ends the session if its token is still the refused one. If a tab is replacing the token, first waits for the new
 * token.
 */
export async function expireSession(refusedToken: string): Promise<void> {
  await withLock(LOCK, () => {
    if (current?.token !== refusedToken || readStored()?.token !== refusedToken) return;
    clearStored();
    announce('expired');
  });
}

/**
 * Stores the token that `ask` returns, so that all tabs use it. If `ask` returns null, the current token stays.
 * @throws what `ask` throws.
 */
export function replaceToken(ask: () => Promise<string | null>): Promise<void> {
  return new Promise((resolve, reject) => {
    void withLock(LOCK, async () => {
      const { userId } = current ?? {};
      try {
        const token = await ask();
        // A user who has signed out meanwhile stays signed out.
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
  changed.emit(current, change);
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
  // The build renders the home page without a browser, and so without storage.
  if (typeof window === 'undefined') return null;
  const token = localStorage.getItem(TOKEN_KEY);
  const userId = localStorage.getItem(USER_ID_KEY);
  return token && userId ? { token, userId } : null;
}

/**
 * Announces a change by another tab. Runs after a change of any key in local storage: another tab may write token and
 * user id one after the other, or clear the storage.
 */
function noticeOtherTab(): void {
  const stored = readStored();
  if (stored?.userId !== current?.userId) announce('elsewhere');
  else if (stored?.token !== current?.token) announce('renewed');
}

if (typeof window !== 'undefined') window.addEventListener('storage', noticeOtherTab);

/** Runs a task while no other tab runs a task of the same name. A browser without locks runs the task at once. */
export async function withLock<Result>(name: string, run: () => Result | Promise<Result>): Promise<Result> {
  return 'locks' in navigator ? await navigator.locks.request(name, run) : await run();
}
