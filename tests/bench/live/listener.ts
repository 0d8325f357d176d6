import { setTimeout as sleep } from 'node:timers/promises';
import { LIVE_PROTOCOL, LIVE_TICKET_PREFIX, type LiveMessage } from '#contract/live-messages.ts';
import { ask, CutOff, type Person } from '#tests/bench/kills/client.ts';

/** A notice of a match, and when it arrived. */
export type Heard = { postId: string; at: number };

const PAUSE_MS = 500;

/** The listening part of a person's app: acknowledges each notice. */
export class Listener {
  readonly person: Person;
  /** By id: a notice that arrives twice counts once. */
  readonly heard = new Map<string, Heard>();
  #socket: WebSocket | null = null;

  constructor(person: Person) {
    this.person = person;
  }

  /** Retries until it is connected: when a thousand connect at once, a ticket may expire in the queue. */
  async connect(origin: string): Promise<void> {
    for (;;) {
      try {
        return await this.#connectOnce(origin);
      } catch (error) {
        if (!(error instanceof CutOff)) throw error;
        await sleep(PAUSE_MS);
      }
    }
  }

  async #connectOnce(origin: string): Promise<void> {
    const { body } = await ask(origin, 'POST', '/realtime/ticket', this.person);
    const { ticket = '' } = body as { ticket?: string };
    const address = `${origin.replace(/^http/, 'ws')}/ws/${this.person.id}`;
    const socket = new WebSocket(address, [LIVE_PROTOCOL, LIVE_TICKET_PREFIX + ticket]);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.addEventListener('message', ({ data }) => this.#note(socket, JSON.parse(String(data)) as LiveMessage));
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('close', () => reject(new CutOff('no socket')));
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
