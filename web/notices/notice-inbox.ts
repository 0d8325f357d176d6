import type { LiveMessage } from '#contract/live-messages.ts';
import { areNoticesHeld, onHoldsChange } from '#web/lib/notice-signals.ts';
import { createStore } from '#web/lib/store.ts';
import { closePhoneNotifications } from './api.ts';
import { LiveConnection } from './live-connection.ts';

type InboxState = {
  /** The notice on the screen. */
  current: LiveMessage | null;
  /** The notices to show after `current`, oldest first. */
  waiting: LiveMessage[];
};

/**
 * Receives a user's notices, shows one at a time and acknowledges it. Each tab has its own connection; a lock ensures
 * that only one visible tab shows a notice.
 */
export class NoticeInbox {
  readonly #userId: string;
  readonly #onNotice: () => void;
  readonly #onEnded: () => void;
  readonly state = createStore<InboxState>({ current: null, waiting: [] });
  #connection: LiveConnection | null = null;
  #isReserving = false;
  #isOpen = false;

  /**
   * @param onNotice is called when a notice arrives that is new to this tab.
   * @param onEnded is called when notices were withdrawn, or were read in this or another tab or on another device.
   */
  constructor(userId: string, onNotice: () => void, onEnded: () => void) {
    this.#userId = userId;
    this.#onNotice = onNotice;
    this.#onEnded = onEnded;
  }

  /**
   * Closes the shown notice. If the notice had a modal, the modal still holds notices back, and the next notice is
   * shown when the modal is gone (`onHoldsChange`). Otherwise the next notice is shown at once.
   */
  next(): void {
    this.state.set({ ...this.state.get(), current: null });
    void this.#showNext();
  }

  /** Opens the connection. @returns a function that closes the connection. */
  open(): () => void {
    this.#isOpen = true;
    const connection = new LiveConnection(
      this.#userId,
      (message) => this.#receive(message),
      (ids) => this.#end(ids),
    );
    this.#connection = connection;
    const onChange = () => {
      this.#dropShown();
      void this.#showNext();
    };
    // Other tabs record in local storage which notices they have shown.
    window.addEventListener('storage', onChange);
    document.addEventListener('visibilitychange', onChange);
    // Waits for a microtask, which runs after all changes of one render: otherwise a notice could appear between a
    // dialog that closes and another one that opens.
    const stopHolds = onHoldsChange(() => queueMicrotask(() => void this.#showNext()));
    return () => {
      this.#isOpen = false;
      this.#connection = null;
      window.removeEventListener('storage', onChange);
      document.removeEventListener('visibilitychange', onChange);
      stopHolds();
      connection.close();
    };
  }

  /** Drops waiting notices that another tab has shown. */
  #dropShown(): void {
    const { current, waiting } = this.state.get();
    const left = waiting.filter(({ id }) => !wasShown(this.#userId, id));
    if (left.length < waiting.length) this.state.set({ current, waiting: left });
  }

  #receive(message: LiveMessage): void {
    const { current, waiting } = this.state.get();
    if ([current, ...waiting].some((known) => known?.id === message.id)) return;
    // Calls `onNotice` even if another tab has shown the notice, because this tab's lists are stale too.
    if (wasShown(this.#userId, message.id)) this.#acknowledge(message.id);
    else this.state.set({ current, waiting: [...waiting, message] });
    this.#onNotice();
    void this.#showNext();
  }

  /**
   * Drops waiting notices that were read on another device or withdrawn. The notice on the screen stays, because the
   * user may be reading it.
   */
  #end(ids: string[]): void {
    closePhoneNotifications(ids);
    const { current, waiting } = this.state.get();
    this.state.set({ current, waiting: waiting.filter(({ id }) => !ids.includes(id)) });
    this.#onEnded();
  }

  /** Shows the next notice, unless the tab is hidden or a dialog or form holds notices back. */
  async #showNext(): Promise<void> {
    const [next] = this.state.get().waiting;
    const isBusy = this.state.get().current !== null || this.#isReserving || !this.#isOpen || areNoticesHeld();
    if (!next || isBusy || document.visibilityState !== 'visible') return;
    // A dialog that opens during the reservation is covered by the notice.
    this.#isReserving = true;
    const isOurs = await reserveNotice(this.#userId, next.id);
    this.#isReserving = false;
    const waiting = this.state.get().waiting.filter(({ id }) => id !== next.id);
    this.state.set({ current: isOurs ? next : null, waiting });
    this.#acknowledge(next.id);
    if (!isOurs) void this.#showNext();
  }

  #acknowledge(id: string): void {
    closePhoneNotifications([id]);
    this.#connection?.acknowledge(id);
  }
}

const PREFIX = 'shownNotices:';
/**
 * How many ids of shown notices local storage contains at most: the oldest ids are deleted first. This number is
 * enough, because the server rarely stores more notices for a user.
 */
const KEPT = 300;

/** Whether this browser has shown the notice before, in any tab. */
export function wasShown(userId: string, noticeId: string): boolean {
  return read(userId).includes(noticeId);
}

/** Reserves the notice for this tab. @returns false if this or another tab has shown it. */
export async function reserveNotice(userId: string, noticeId: string): Promise<boolean> {
  if (!(await holdForGood(`${PREFIX}${userId}:${noticeId}`)) || wasShown(userId, noticeId)) return false;
  const remember = () => write(userId, [...read(userId), noticeId].slice(-KEPT));
  // A lock, because two tabs may change the list in local storage at the same moment.
  if ('locks' in navigator) await navigator.locks.request(PREFIX + userId, remember);
  else remember();
  return true;
}

/**
 * Holds a lock until this tab closes. Other tabs see a lock at once, but may see a write to local storage late.
 * @returns false if another tab holds the lock.
 */
function holdForGood(name: string): Promise<boolean> {
  if (!('locks' in navigator)) return Promise.resolve(true);
  return new Promise((resolve) => {
    void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : new Promise(() => undefined);
    });
  });
}

function read(userId: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(PREFIX + userId) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}

function write(userId: string, shown: string[]): void {
  try {
    localStorage.setItem(PREFIX + userId, JSON.stringify(shown));
  } catch {
    // If the storage is full, the notice may be shown again after a reload.
  }
}
