import {
  CLOSE_CROWDED_OUT,
  CLOSE_SIGNED_OUT,
  LIVE_PROTOCOL,
  LIVE_TICKET_PREFIX,
  type LiveMessage,
  type NoticesEndedFrame,
} from '#contract/live-messages.ts';
import { ApiError, api } from '#web/api/client.ts';
import { expireSession, getSession } from '#web/api/session.ts';

/** The wait before a lost connection is opened again (docs/product.md T5). */
const RECONNECT_MS = 5_000;
/** A random delay from the second try on, so that clients that were disconnected together do not reconnect together. */
const JITTER_MS = 2_000;
/** After this many failures the wait grows to at most a minute, to save the phone's battery. */
const PATIENT_FAILURES = 5;
const RECONNECT_MAX_MS = 60_000;
/** Pings detect a dead socket: a phone that changes networks fires no event. */
const PING_EVERY_MS = 60_000;
const PONG_WITHIN_MS = 10_000;

/**
 * The socket of a signed-in user. A lost socket is opened again after 5 seconds, or at once when the network returns or
 * the user comes back to the page. It stays closed if the server ends the session and the browser has no newer token.
 */
export class LiveConnection {
  readonly #userId: string;
  readonly #onMessage: (message: LiveMessage) => void;
  readonly #onEnded: (ids: string[]) => void;
  readonly #stop = new AbortController();
  /** The token that the socket was opened with. */
  #token = '';
  #socket: WebSocket | null = null;
  #isAsking = false;
  /**
   * Whether the server has asked the page to wait before the next attempt. During the wait no event starts an attempt.
   */
  #isPutOff = false;
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pulse: ReturnType<typeof setInterval> | undefined;
  #verdict: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param onEnded is called with the ids of notices that the user read on another page or device, or that were
   * withdrawn.
   */
  constructor(userId: string, onMessage: (message: LiveMessage) => void, onEnded: (ids: string[]) => void) {
    this.#userId = userId;
    this.#onMessage = onMessage;
    this.#onEnded = onEnded;
    const { signal } = this.#stop;
    window.addEventListener('online', () => this.#wake(), { signal });
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && this.#wake(), {
      signal,
    });
    void this.#connect();
  }

  /** Acknowledges a notice. If the acknowledgement is lost, the server sends the notice again. */
  acknowledge(id: string): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ type: 'ack', id }));
  }

  close(): void {
    this.#stop.abort();
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#forgetSocket();
    socket?.close();
  }

  /**
   * Called when the network returns or the user comes back to the page. Opens a lost connection again, and pings an
   * open one.
   */
  #wake(): void {
    if (this.#socket) this.#ping();
    else if (!this.#isPutOff) void this.#connect();
  }

  async #connect(): Promise<void> {
    clearTimeout(this.#retry);
    this.#isPutOff = false;
    // Without a network nothing is attempted: the `online` event starts the next attempt.
    if (this.#stop.signal.aborted || this.#isAsking || this.#socket || !navigator.onLine) return;
    this.#isAsking = true;
    this.#token = getSession()?.token ?? '';
    try {
      const { ticket } = await api('POST /realtime/ticket', { signal: this.#stop.signal });
      if (!this.#stop.signal.aborted) this.#open(ticket);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) void this.#endOrGoOn();
      else this.#retryLater(error);
    } finally {
      this.#isAsking = false;
    }
  }

  #open(ticket: string): void {
    const address = `${window.location.origin.replace(/^http/, 'ws')}/ws/${encodeURIComponent(this.#userId)}`;
    const socket = new WebSocket(address, [LIVE_PROTOCOL, LIVE_TICKET_PREFIX + ticket]);
    this.#socket = socket;
    socket.addEventListener('open', () => {
      this.#failures = 0;
      this.#pulse = setInterval(() => document.visibilityState === 'visible' && this.#ping(), PING_EVERY_MS);
    });
    socket.addEventListener('message', ({ data }) => this.#socket === socket && this.#hear(data));
    socket.addEventListener('close', ({ code }) => this.#lose(socket, code));
  }

  #hear(frame: unknown): void {
    clearTimeout(this.#verdict);
    this.#verdict = undefined;
    if (frame === 'pong') return;
    const message = parse(frame);
    if (message?.type === 'notices_ended') this.#onEnded(message.ids);
    else if (message) this.#onMessage(message);
  }

  #lose(socket: WebSocket, code: number): void {
    if (this.#socket !== socket) return;
    this.#forgetSocket();
    if (code === CLOSE_SIGNED_OUT) {
      void this.#endOrGoOn();
    } else if (code !== CLOSE_CROWDED_OUT) {
      this.#retryLater();
    }
  }

  /**
   * Called when the token is no longer valid. Connects with the session's newer token, for example after a password
   * change. Without a newer token, the connection ends.
   */
  async #endOrGoOn(): Promise<void> {
    await expireSession(this.#token);
    if (getSession()?.userId === this.#userId) await this.#connect();
    else this.#stop.abort();
  }

  #retryLater(error?: unknown): void {
    if (this.#stop.signal.aborted) return;
    console.warn('The live connection is lost and will be opened again.');
    const failures = this.#failures++;
    const growth = 2 ** Math.max(0, failures - PATIENT_FAILURES);
    const jitter = failures > 0 ? Math.random() * JITTER_MS : 0;
    const asked = error instanceof ApiError ? error.retryAfterMs : null;
    const delay = asked ?? Math.min(RECONNECT_MS * growth, RECONNECT_MAX_MS) + jitter;
    this.#isPutOff = asked !== null;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#connect(), delay);
  }

  #ping(): void {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN || this.#verdict !== undefined) return;
    socket.send('ping');
    this.#verdict = setTimeout(() => {
      if (this.#socket !== socket) return;
      // Opens a new socket now, because a dead socket may take minutes to close on its own.
      this.#forgetSocket();
      socket.close();
      void this.#connect();
    }, PONG_WITHIN_MS);
  }

  #forgetSocket(): void {
    this.#socket = null;
    clearInterval(this.#pulse);
    clearTimeout(this.#verdict);
    this.#verdict = undefined;
  }
}

/** The types of messages that this page can show. The compiler checks that no type is missing. */
const SHOWN: Record<LiveMessage['type'], true> = {
  matching_post: true,
  community_approved: true,
  community_rejected: true,
  community_suspended: true,
  community_reinstated: true,
  post_hidden: true,
  post_restored: true,
  still_looking: true,
  account_suspended: true,
  account_reinstated: true,
  claim_received: true,
  claim_asked: true,
  claim_replied: true,
  claim_accepted: true,
  claim_declined: true,
  claim_withdrawn: true,
  claim_closed: true,
  claim_paused: true,
  handed_over: true,
  password_changed: true,
  reports_waiting: true,
  community_without_admin: true,
  community_closing: true,
  community_reopened: true,
  join_request: true,
  join_accepted: true,
};

/** Returns null for a message that is unreadable, or of a type that only a newer version of the page knows. */
function parse(frame: unknown): LiveMessage | NoticesEndedFrame | null {
  try {
    const message = JSON.parse(String(frame)) as LiveMessage | NoticesEndedFrame;
    if (message.type === 'notices_ended') return Array.isArray(message.ids) ? message : null;
    return Object.hasOwn(SHOWN, message.type) && typeof message.id === 'string' ? message : null;
  } catch {
    return null;
  }
}
