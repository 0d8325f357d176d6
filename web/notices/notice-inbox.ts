import type { LiveMessage } from '#contract/live-messages.ts';
import { endNotices } from '#web/lib/end-notices.ts';
import { areNoticesHeld, onHoldChange } from '#web/lib/held-notices.ts';
import { LiveConnection } from './live-connection.ts';
import { claimNotice, wasShown } from './shown-notices.ts';
import { leadAmongTabs } from './tab-leader.ts';

/** A leader that is awake answers at once. */
const ANSWER_WITHIN_MS = 2_000;

/** What the tabs of a browser tell each other. */
type TabMessage =
  | { type: 'notice'; message: LiveMessage }
  | { type: 'shown'; id: string }
  | { type: 'ended'; ids: string[] }
  | { type: 'who_leads' }
  | { type: 'i_lead'; waiting: LiveMessage[] };

type InboxState = {
  /** The one notice that is shown. */
  current: LiveMessage | null;
  /** Those that come after it, oldest first. */
  waiting: LiveMessage[];
};

/**
 * Receives a person's notices, shows one at a time, each in one tab, and acknowledges what was shown. One tab holds
 * the connection and passes on what it hears; whichever tab the reader looks at shows it.
 */
export class NoticeInbox {
  readonly #userId: string;
  readonly #onNews: () => void;
  readonly #onEnded: () => void;
  readonly #listeners = new Set<() => void>();
  #state: InboxState = { current: null, waiting: [] };
  /** Only in the tab that leads. */
  #connection: LiveConnection | null = null;
  #tabs: BroadcastChannel | null = null;
  #isClaiming = false;
  #isOpen = false;

  /**
   * @param onNews called when a notice has come that this browser has not shown.
   * @param onEnded called when notices have ended, be it by what was read in this very tab.
   */
  constructor(userId: string, onNews: () => void, onEnded: () => void) {
    this.#userId = userId;
    this.#onNews = onNews;
    this.#onEnded = onEnded;
  }

  getState = (): InboxState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The reader is done with the shown notice: the next one follows. */
  next(): void {
    this.#change({ ...this.#state, current: null });
    void this.#showNext();
  }

  /** Starts to listen. @returns what ends it. */
  open(): () => void {
    this.#isOpen = true;
    this.#tabs = 'BroadcastChannel' in window ? new BroadcastChannel(`patikana-notices:${this.#userId}`) : null;
    this.#tabs?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => this.#hear(data));
    const leadership = leadAmongTabs(`patikana-live:${this.#userId}`, () => this.#lead());
    let verdict: ReturnType<typeof setTimeout> | undefined;
    const lookUp = () => {
      if (document.visibilityState !== 'visible') return;
      void this.#showNext();
      if (this.#connection) return;
      this.#tell({ type: 'who_leads' });
      clearTimeout(verdict);
      verdict = setTimeout(() => leadership.takeOver(), ANSWER_WITHIN_MS);
    };
    const onAnswer = ({ data }: MessageEvent<TabMessage>) => data.type === 'i_lead' && clearTimeout(verdict);
    this.#tabs?.addEventListener('message', onAnswer);
    document.addEventListener('visibilitychange', lookUp);
    const stopHolds = onHoldChange(() => void this.#showNext());
    lookUp();
    return () => {
      this.#isOpen = false;
      clearTimeout(verdict);
      document.removeEventListener('visibilitychange', lookUp);
      stopHolds();
      leadership.stop();
      this.#tabs?.close();
      this.#tabs = null;
    };
  }

  #lead(): () => void {
    const connection = new LiveConnection(
      this.#userId,
      (message) => {
        this.#tell({ type: 'notice', message });
        this.#receive(message);
      },
      (ids) => {
        this.#tell({ type: 'ended', ids });
        this.#end(ids);
      },
    );
    this.#connection = connection;
    return () => {
      connection.close();
      this.#connection = null;
    };
  }

  #hear(told: TabMessage): void {
    if (told.type === 'notice') this.#receive(told.message);
    if (told.type === 'ended') this.#end(told.ids);
    if (told.type === 'shown') this.#connection?.acknowledge(told.id);
    if (told.type === 'who_leads' && this.#connection) this.#tell({ type: 'i_lead', waiting: this.#state.waiting });
    if (told.type === 'i_lead') for (const message of told.waiting) this.#receive(message);
  }

  #receive(message: LiveMessage): void {
    if (wasShown(this.#userId, message.id)) {
      this.#acknowledge(message.id);
      return;
    }
    const { current, waiting } = this.#state;
    if ([current, ...waiting].some((known) => known?.id === message.id)) return;
    this.#change({ current, waiting: [...waiting, message] });
    this.#onNews();
    void this.#showNext();
  }

  /** Read on another of the reader's phones, or retracted: what waits for its turn here need not come any more. */
  #end(ids: string[]): void {
    endNotices(ids);
    const { current, waiting } = this.#state;
    this.#change({ current, waiting: waiting.filter(({ id }) => !ids.includes(id)) });
    this.#onEnded();
  }

  /** A hidden tab shows nothing: the reader looks at another one, or comes back. Nor does one where something else is open. */
  async #showNext(): Promise<void> {
    const [next] = this.#state.waiting;
    const isBusy = this.#state.current !== null || this.#isClaiming || !this.#isOpen || areNoticesHeld();
    if (!next || isBusy || document.visibilityState !== 'visible') return;
    this.#isClaiming = true;
    const isOurs = await claimNotice(this.#userId, next.id);
    this.#isClaiming = false;
    const waiting = this.#state.waiting.filter(({ id }) => id !== next.id);
    this.#change({ current: isOurs ? next : null, waiting });
    this.#acknowledge(next.id);
    if (!isOurs) void this.#showNext();
  }

  #acknowledge(id: string): void {
    endNotices([id]);
    if (this.#connection) this.#connection.acknowledge(id);
    else this.#tell({ type: 'shown', id });
  }

  #tell(message: TabMessage): void {
    this.#tabs?.postMessage(message);
  }

  #change(state: InboxState): void {
    this.#state = state;
    for (const listener of [...this.#listeners]) listener();
  }
}
