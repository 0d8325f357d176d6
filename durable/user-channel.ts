import { DurableObject } from 'cloudflare:workers';
import {
  CLOSE_SIGNED_OUT,
  clientMessageSchema,
  LIVE_PROTOCOL,
  type LiveMessage,
} from '#worker/contract/live-messages.ts';
import type { Env } from '#worker/env.ts';
import { Mailbox } from './mailbox.ts';
import { migrate } from './migrations.ts';

type SocketState = { tokenVersion: number };
/** Longer frames than any message a client has to send are not read. */
const CLIENT_MESSAGE_MAX_CHARS = 512;

/**
 * One object per user: the user's sockets and mailbox. It sleeps between events (hibernation), so it keeps no
 * timer and no field that could not be read again from its storage or its sockets.
 */
export class UserChannel extends DurableObject<Env> {
  readonly #mailbox: Mailbox;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrate(ctx.storage.sql);
    this.#mailbox = new Mailbox(ctx.storage.sql);
    // Answered by the runtime without waking the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
  }

  /** See `Channel` in get-user-channel.ts. Stored first, then sent: what was answered survives a crash. */
  async deliver(messages: LiveMessage[]): Promise<void> {
    const fresh = this.#mailbox.store(messages, Date.now());
    await this.#armExpiry();
    for (const message of fresh) this.#broadcast(JSON.stringify(message));
  }

  async revoke(tokenVersion: number): Promise<void> {
    this.#mailbox.revoke(tokenVersion);
    for (const socket of this.ctx.getWebSockets()) {
      const state = socket.deserializeAttachment() as SocketState;
      if (state.tokenVersion < tokenVersion) socket.close(CLOSE_SIGNED_OUT, 'signed out');
    }
  }

  /** The upgrade. Only the Worker can reach it, with a ticket that it has verified (get-user-channel.ts). */
  override async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const tokenVersion = Number(searchParams.get('tokenVersion'));
    const ticket = {
      id: searchParams.get('ticketId') ?? '',
      expiresAt: Number(searchParams.get('expiresAt')),
      tokenVersion,
    };
    if (!this.#mailbox.redeemTicket(ticket, Date.now())) return new Response(null, { status: 401 });
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    server.serializeAttachment({ tokenVersion } satisfies SocketState);
    for (const body of this.#mailbox.listUnacknowledged(Date.now())) server.send(body);
    return new Response(null, { status: 101, webSocket: client, headers: { 'Sec-WebSocket-Protocol': LIVE_PROTOCOL } });
  }

  override webSocketMessage(_socket: WebSocket, frame: string | ArrayBuffer): void {
    if (typeof frame !== 'string' || frame.length > CLIENT_MESSAGE_MAX_CHARS) return;
    const message = clientMessageSchema.safeParse(parseJson(frame));
    if (message.success) this.#mailbox.acknowledge(message.data.id, Date.now());
  }

  override webSocketError(): void {
    // A phone that leaves its network ends its socket this way; the close that follows is all there is to do.
  }

  override async alarm(): Promise<void> {
    const next = this.#mailbox.expire(Date.now());
    if (next !== null) await this.ctx.storage.setAlarm(next);
  }

  async #armExpiry(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) !== null) return;
    const next = this.#mailbox.expire(Date.now());
    if (next !== null) await this.ctx.storage.setAlarm(next);
  }

  #broadcast(body: string): void {
    for (const socket of this.ctx.getWebSockets()) {
      if (socket.readyState === WebSocket.OPEN) socket.send(body);
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
