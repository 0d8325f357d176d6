import type { LiveMessage } from '#contract/live-messages.ts';
import { areNoticesHeld, onHoldsChange } from '#web/lib/notice-signals.ts';
import { createStore } from '#web/lib/store.ts';
import { endNotices } from './api.ts';
import { LiveConnection } from './live-connection.ts';

type InboxState = {
  /** The notice on the screen. */
  current: LiveMessage | null;
  /** The notices that follow, oldest first. */
  waiting: LiveMessage[];
};

/**
 * Receives a person's notices, shows one at a time and acknowledges it. Each tab has its own connection; a lock ensures
 * that only one visible tab shows a notice.
 */
export class NoticeInbox {
  readonly #userId: string;
  readonly #onNews: () => void;
  readonly #onEnded: () => void;
  readonly state = createStore<InboxState>({ current: null, waiting: [] });
  #connection: LiveConnection | null = null;
  #isClaiming = false;
  #isOpen = false;

  /**
   * @param onNews called when a notice arrives that is new to this tab.
   * @param onEnded called when notices were read or withdrawn, also by this tab.
   */
  constructor(userId: string, onNews: () => void, onEnded: () => void) {
    this.#userId = userId;
    this.#onNews = onNews;
    this.#onEnded = onEnded;
  }

  /** Closes the shown notice and shows the next one. */
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
    // Another tab records there which notices it has shown.
    window.addEventListener('storage', onChange);
    document.addEventListener('visibilitychange', onChange);
    // In a microtask, so that no notice appears between two dialogs that follow each other.
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

  /** Removes notices that another tab has shown from the waiting ones. */
  #dropShown(): void {
    const { current, waiting } = this.state.get();
    const left = waiting.filter(({ id }) => !wasShown(this.#userId, id));
    if (left.length < waiting.length) this.state.set({ current, waiting: left });
  }

  #receive(message: LiveMessage): void {
    const { current, waiting } = this.state.get();
    if ([current, ...waiting].some((known) => known?.id === message.id)) return;
    // Even if another tab has shown the notice, this tab's lists are out of date.
    if (wasShown(this.#userId, message.id)) this.#acknowledge(message.id);
    else this.state.set({ current, waiting: [...waiting, message] });
    this.#onNews();
    void this.#showNext();
  }

  /** The notices were read on another device or withdrawn, so they need not be shown. */
  #end(ids: string[]): void {
    endNotices(ids);
    const { current, waiting } = this.state.get();
    this.state.set({ current, waiting: waiting.filter(({ id }) => !ids.includes(id)) });
    this.#onEnded();
  }

  /** Shows the next notice, unless the tab is hidden or a dialog or form holds notices back. */
  async #showNext(): Promise<void> {
    const [next] = this.state.get().waiting;
    const isBusy = this.state.get().current !== null || this.#isClaiming || !this.#isOpen || areNoticesHeld();
    if (!next || isBusy || document.visibilityState !== 'visible') return;
    this.#isClaiming = true;
    const isOurs = await claimNotice(this.#userId, next.id);
    this.#isClaiming = false;
    const waiting = this.state.get().waiting.filter(({ id }) => id !== next.id);
    this.state.set({ current: isOurs ? next : null, waiting });
    this.#acknowledge(next.id);
    if (!isOurs) void this.#showNext();
  }

  #acknowledge(id: string): void {
    endNotices([id]);
    this.#connection?.acknowledge(id);
  }
}

const PREFIX = 'shownNotices:';
/** More than a mailbox is likely to hold. The oldest are deleted first. */
const KEPT = 300;

/** Whether this browser has shown the notice before, in any tab. */
export function wasShown(userId: string, noticeId: string): boolean {
  return read(userId).includes(noticeId);
}

/** Reserves the notice for this tab. @returns false if this or another tab has shown it. */
export async function claimNotice(userId: string, noticeId: string): Promise<boolean> {
  if (!(await holdForGood(`${PREFIX}${userId}:${noticeId}`)) || wasShown(userId, noticeId)) return false;
  const remember = () => write(userId, [...read(userId), noticeId].slice(-KEPT));
  // Two tabs may write at the same moment, and local storage has no lock of its own.
  if ('locks' in navigator) await navigator.locks.request(PREFIX + userId, remember);
  else remember();
  return true;
}

/**
 * Another process sees a write to local storage late, so two tabs could both consider a notice new. A lock is visible
 * to all at once; the tab holds it until it closes.
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
    // If the storage is full, the notice may be shown again after a reload, which is better than never.
  }
}
