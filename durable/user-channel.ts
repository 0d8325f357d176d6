import { DurableObject } from 'cloudflare:workers';
import { HOUR_MS } from '#contract/durations.ts';
import { SOCKETS_PER_USER_MAX } from '#contract/limits.ts';
import {
  CLOSE_CROWDED_OUT,
  CLOSE_SIGNED_OUT,
  clientMessageSchema,
  LIVE_PROTOCOL,
  type LiveMessage,
  type NoticesEndedFrame,
} from '#contract/live-messages.ts';
import { errorFrames, errorName, log, workFor } from '#worker/errors/log.ts';
import { newId } from '#worker/identity/digests.ts';
import { ChannelTurns, reportAcknowledged, type Surroundings, sendDue } from './channel-turns.ts';
import { Mailbox, MESSAGE_LIFETIME_MS } from './mailbox.ts';
import { migrate } from './migrations.ts';

/** What is stored with a socket, so that it survives the hibernation of the object. */
type SocketState = { sessionId: string; connectedAt: number; sessionEndsAt: number };
/** Longer frames are ignored, as no client needs them. */
const CLIENT_MESSAGE_MAX_CHARS = 512;
/** The shortest pause between two deletions of expired messages, so that the object does not wake for each message. */
const EXPIRY_PAUSE_MS = HOUR_MS;
/** How long to wait before a retry after the database or a queue has failed. */
const RETRY_MS = 60 * 1000;
/** How long an acknowledgement waits for others, to be reported together with them. */
const REPORT_PAUSE_MS = 60 * 1000;

/**
 * One Durable Object per user, with the user's sockets and mailbox. The object hibernates between events. Hibernation
 * ends timers and clears memory, so the object uses no timers, and keeps its state in its storage and with its sockets.
 * A socket gets each message once: there is no await between storing a message and sending it, and none between
 * accepting a socket and sending the stored messages to this socket.
 */
export abstract class UserChannel extends DurableObject {
  protected abstract readonly surroundings: Surroundings;
  readonly #mailbox: Mailbox;
  readonly #turns: ChannelTurns;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    migrate(ctx.storage);
    this.#mailbox = new Mailbox(ctx.storage.sql);
    this.#turns = new ChannelTurns(ctx.storage.sql);
    // The runtime answers pings without waking the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
  }

  /** See `UserChannelCalls` in get-user-channel.ts. The runtime stores a message on disk before a socket gets it. */
  deliver(messages: LiveMessage[]): Promise<void> {
    return handleEvent('deliver', async () => {
      const now = Date.now();
      const fresh = this.#mailbox.store(messages, now);
      this.#turns.add(fresh, this.surroundings.rules(), now);
      for (const message of fresh) this.#broadcast(JSON.stringify(message));
      await this.#armBy(Math.min(this.#turns.nextAt() ?? Infinity, now + MESSAGE_LIFETIME_MS));
    });
  }

  retract(messageIds: string[]): Promise<void> {
    return handleEvent('retract', async () => {
      const now = Date.now();
      this.#mailbox.retract(messageIds, now);
      this.#turns.end(messageIds);
      this.#broadcast(JSON.stringify({ type: 'notices_ended', ids: messageIds } satisfies NoticesEndedFrame));
      await this.#armBy(now + MESSAGE_LIFETIME_MS);
    });
  }

  reconsider(): Promise<void> {
    return handleEvent('reconsider', async () => {
      const now = Date.now();
      this.#turns.release(now);
      await this.#armBy(this.#turns.nextAt() ?? Infinity);
    });
  }

  listWaiting(messageIds: string[]): Promise<string[]> {
    return handleEvent('list_waiting', () => this.#mailbox.listWaiting(messageIds));
  }

  endSessions(sessionIds: string[]): Promise<void> {
    return handleEvent('end_sessions', () => {
      this.#mailbox.endSessions(sessionIds, Date.now());
      this.#signOut(({ sessionId }) => sessionIds.includes(sessionId));
    });
  }

  erase(): Promise<void> {
    return handleEvent('erase', async () => {
      this.#signOut(() => true);
      await this.ctx.storage.setAlarm(this.#mailbox.erase(Date.now()));
    });
  }

  override fetch(request: Request): Promise<Response> {
    return handleEvent('connect', () => this.#connect(request));
  }

  override webSocketMessage(_socket: WebSocket, frame: string | ArrayBuffer): Promise<void> {
    return handleEvent('message', async () => {
      if (typeof frame !== 'string' || frame.length > CLIENT_MESSAGE_MAX_CHARS) return;
      const message = clientMessageSchema.safeParse(parseJson(frame));
      if (!message.success) return;
      const now = Date.now();
      if (!this.#mailbox.acknowledge(message.data.id, now)) return;
      this.#turns.end([message.data.id]);
      await this.#armBy(now + REPORT_PAUSE_MS);
    });
  }

  override webSocketError(): void {
    // Errors are normal when a phone loses its network. There is nothing to do: a close event follows.
  }

  override alarm(): Promise<void> {
    return handleEvent('alarm', () => this.#wake());
  }

  /**
   * Accepts the upgrade to a WebSocket. Only the Worker can send this request, with a ticket that the Worker has
   * verified (get-user-channel.ts).
   */
  async #connect(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const now = Date.now();
    const sessionId = searchParams.get('sessionId') ?? '';
    const sessionEndsAt = Number(searchParams.get('sessionEndsAt'));
    const ticket = {
      id: searchParams.get('ticketId') ?? '',
      expiresAt: Number(searchParams.get('expiresAt')),
      sessionId,
    };
    if (!this.#mailbox.redeemTicket(ticket, now)) return new Response(null, { status: 401 });
    this.#makeRoom();
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    server.serializeAttachment({ sessionId, connectedAt: now, sessionEndsAt } satisfies SocketState);
    for (const body of this.#mailbox.listUnacknowledged(now)) server.send(body);
    await this.#armBy(sessionEndsAt);
    return new Response(null, { status: 101, webSocket: client, headers: { 'Sec-WebSocket-Protocol': LIVE_PROTOCOL } });
  }

  /**
   * The object's only alarm: closes sockets of expired sessions, deletes expired messages, queues due notices, and
   * reports acknowledgements.
   */
  async #wake(): Promise<void> {
    const now = Date.now();
    const eraseDueAt = this.#mailbox.eraseDueAt();
    if (eraseDueAt !== null) return this.#eraseRest(eraseDueAt, now);
    for (const socket of this.#openSockets()) {
      if (stateOf(socket).sessionEndsAt <= now) socket.close(CLOSE_SIGNED_OUT, 'session expired');
    }
    const expiry = this.#mailbox.expire(now);
    this.#turns.expire();
    const retryAt = (await this.#sendDue(now)) ? null : now + RETRY_MS;
    const due = this.#openSockets().map((socket) => stateOf(socket).sessionEndsAt);
    if (expiry !== null) due.push(Math.max(expiry, now + EXPIRY_PAUSE_MS));
    const nextAt = retryAt ?? this.#turns.nextAt();
    if (nextAt !== null) due.push(nextAt);
    if (due.length > 0) await this.ctx.storage.setAlarm(Math.min(...due));
  }

  /**
   * Deletes the storage of an erased person at the time `dueAt`, including the record of the erasure. A Durable Object
   * without storage ceases to exist.
   */
  async #eraseRest(dueAt: number, now: number): Promise<void> {
    if (dueAt > now) await this.ctx.storage.setAlarm(dueAt);
    else await this.ctx.storage.deleteAll();
  }

  #signOut(isMeant: (state: SocketState) => boolean): void {
    for (const socket of this.#openSockets()) {
      if (isMeant(stateOf(socket))) socket.close(CLOSE_SIGNED_OUT, 'signed out');
    }
  }

  /**
   * Queues the notices that are due, and reports acknowledgements to the database.
   * @returns whether both succeeded. This function does not throw, because the platform retries a failing alarm only a
   * few times.
   */
  async #sendDue(now: number): Promise<boolean> {
    const { storage, id } = this.ctx;
    try {
      await sendDue({ userId: id.name ?? '', storage, turns: this.#turns, surroundings: this.surroundings }, now);
      await reportAcknowledged(this.#mailbox, this.surroundings);
      return true;
    } catch (error) {
      log.error('telling_failed', { name: errorName(error) });
      return false;
    }
  }

  /** Closes the oldest sockets if one more would exceed the maximum: a faulty client may open more and more sockets. */
  #makeRoom(): void {
    const sockets = this.#openSockets().sort((left, right) => stateOf(left).connectedAt - stateOf(right).connectedAt);
    const excess = sockets.slice(0, Math.max(0, sockets.length + 1 - SOCKETS_PER_USER_MAX));
    for (const socket of excess) socket.close(CLOSE_CROWDED_OUT, 'too many connections');
  }

  /** Ensures that the alarm fires at this time or earlier. */
  async #armBy(time: number): Promise<void> {
    const armed = await this.ctx.storage.getAlarm();
    if (time < (armed ?? Infinity)) await this.ctx.storage.setAlarm(time);
  }

  #broadcast(body: string): void {
    for (const socket of this.#openSockets()) socket.send(body);
  }

  #openSockets(): WebSocket[] {
    return this.ctx.getWebSockets().filter((socket) => socket.readyState === WebSocket.OPEN);
  }
}

function stateOf(socket: WebSocket): SocketState {
  return socket.deserializeAttachment() as SocketState;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Handles an event of the object. All log lines of one event have the same `job_id`. Logs errors here, because an error
 * reaches the Worker without its stack frames.
 */
function handleEvent<Result>(event: string, handle: () => Result | Promise<Result>): Promise<Result> {
  return workFor({ job_id: newId() }, async () => {
    try {
      return await handle();
    } catch (error) {
      log.error('object_failed', { object_event: event, name: errorName(error), frames: errorFrames(error) });
      throw error;
    }
  });
}
