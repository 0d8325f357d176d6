import { LIVE_PROTOCOL, LIVE_TICKET_PREFIX, type LiveMessage } from '#contract/live-messages.ts';
import { ask, type Person } from '#tests/bench/kills/client.ts';

/** A notice of a match, and when it came. */
export type Heard = { postId: string; at: number };

/** Somebody's app, as far as it listens: acknowledges what comes. */
export class Listener {
  readonly person: Person;
  /** By the notices' ids; one that comes again is the same. */
  readonly heard = new Map<string, Heard>();
  #socket: WebSocket | null = null;

  constructor(person: Person) {
    this.person = person;
  }

  /** @throws where no socket opens. */
  async connect(origin: string): Promise<void> {
    const { body } = await ask(origin, 'POST', '/realtime/ticket', this.person);
    const { ticket = '' } = body as { ticket?: string };
    const address = `${origin.replace(/^http/, 'ws')}/ws/${this.person.id}`;
    const socket = new WebSocket(address, [LIVE_PROTOCOL, LIVE_TICKET_PREFIX + ticket]);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.addEventListener('message', ({ data }) => this.#note(socket, JSON.parse(String(data)) as LiveMessage));
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('close', () => reject(new Error('no socket')));
    this.#socket = socket;
    await promise;
  }

  async leave(): Promise<void> {
    const socket = this.#socket;
    if (!socket || socket.readyState === WebSocket.CLOSED) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.addEventListener('close', () => resolve());
    socket.close();
    await promise;
  }

  #note(socket: WebSocket, message: LiveMessage): void {
    if (message.type !== 'matching_post') return;
    if (!this.heard.has(message.id)) this.heard.set(message.id, { postId: message.post_id, at: performance.now() });
    socket.send(JSON.stringify({ type: 'ack', id: message.id }));
  }
}
