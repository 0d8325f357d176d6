import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LiveMessage } from '#contract/live-messages.ts';
import { rejectionMessage } from '#tests/web/support/notices.tsx';
import { loseNetwork } from '#tests/web/support/phone.ts';
import { getSession, replaceToken, signInAs } from '#web/api/session.ts';
import { LiveConnection } from '#web/notices/live-connection.ts';

/** The opened sockets, oldest first. */
const sockets: HeldSocket[] = [];

/** Replaces jsdom's socket, which needs a server. The test acts as the server of this socket. */
class HeldSocket extends EventTarget {
  static readonly OPEN = 1;
  readyState = 0;
  sent: string[] = [];
  isClosed = false;

  readonly address: string;
  readonly protocols: string[];

  constructor(address: string, protocols: string[]) {
    super();
    this.address = address;
    this.protocols = protocols;
    sockets.push(this);
  }

  open(): void {
    this.readyState = HeldSocket.OPEN;
    this.dispatchEvent(new Event('open'));
  }

  send(frame: string): void {
    this.sent.push(frame);
  }

  close(): void {
    this.isClosed = true;
    this.readyState = 3;
  }

  hear(data: unknown): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data }));
  }

  /** Simulates that the server or the network closes the socket. */
  lose(code = 1006): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event('close'), { code }));
  }
}

describe('the live connection', () => {
  /** The responses to ticket requests, in turn. When none is left, each request gets a ticket. */
  let answers: (() => Response | Promise<Response>)[];
  let asked: number;
  const connections: LiveConnection[] = [];

  beforeEach(() => {
    sockets.length = 0;
    answers = [];
    asked = 0;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    vi.stubGlobal('WebSocket', HeldSocket);
    vi.stubGlobal('fetch', async () => {
      asked++;
      return (await answers.shift()?.()) ?? Response.json({ ticket: `t${asked}`, expires_in: 30 });
    });
    signInAs({ token: 'a-token', userId: 'asha/1' });
  });
  afterEach(() => {
    for (const connection of connections.splice(0)) connection.close();
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const last = () => sockets.at(-1) as HeldSocket;
  const unavailable = () => Response.json({ code: 'unavailable', detail: '…' }, { status: 503 });

  async function connect() {
    const messages: LiveMessage[] = [];
    const ended: string[][] = [];
    const connection = new LiveConnection(
      'asha/1',
      (message) => messages.push(message),
      (ids) => ended.push(ids),
    );
    connections.push(connection);
    await pass(0);
    return { connection, messages, ended };
  }

  async function open() {
    const view = await connect();
    last().open();
    return { ...view, socket: last() };
  }

  function comeBack(): void {
    document.dispatchEvent(new Event('visibilitychange'));
  }

  test('opens a WebSocket whose URL contains the signed-in person’s id, with a ticket from the server', async () => {
    const { socket } = await open();
    expect(socket.address).toMatch(/\/ws\/asha%2F1$/);
    expect(socket.protocols).toEqual(['patikana.v1', 'ticket.t1']);
  });

  test('sends a ping once a minute, and keeps the socket open while it gets answers', async () => {
    const { socket } = await open();
    await pass(59_000);
    expect(socket.sent).toEqual([]);
    await pass(2_000);
    expect(socket.sent).toEqual(['ping']);
    socket.hear('pong');
    await pass(59_000);
    expect(socket.sent).toEqual(['ping', 'ping']);
    socket.hear('pong');
    await pass(30_000);
    expect([sockets.length, socket.isClosed]).toEqual([1, false]);
  });

  test('counts any message as an answer to the ping', async () => {
    const { socket } = await open();
    await pass(60_000);
    socket.hear(JSON.stringify(rejectionMessage));
    await pass(30_000);
    expect([sockets.length, socket.isClosed]).toEqual([1, false]);
  });

  test('replaces a socket that does not answer a ping for 10 seconds', async () => {
    const { socket, messages } = await open();
    await pass(69_900);
    expect(socket.isClosed).toBe(false);
    await pass(200);
    expect([socket.isClosed, sockets.length]).toEqual([true, 2]);
    // Later messages and the later close event of the dead socket are ignored.
    socket.hear(JSON.stringify(rejectionMessage));
    socket.lose();
    last().open();
    await pass(60_000);
    expect([messages.length, sockets.length, socket.sent.length]).toEqual([0, 2, 1]);
    expect(last().sent).toEqual(['ping']);
  });

  test('sends no pings from a hidden page', async () => {
    const { socket } = await open();
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    comeBack();
    await pass(200_000);
    expect(socket.sent).toEqual([]);
    visibility.mockReturnValue('visible');
    comeBack();
    expect(socket.sent).toEqual(['ping']);
  });

  test('sends one ping when the user returns to the page or the network returns', async () => {
    const { socket } = await open();
    window.dispatchEvent(new Event('online'));
    comeBack();
    expect(socket.sent).toEqual(['ping']);
    await pass(5_000);
    socket.hear('pong');
    comeBack();
    expect(socket.sent).toEqual(['ping', 'ping']);
    await pass(9_000);
    expect(socket.isClosed).toBe(false);
  });

  test('sends no ping and opens no second socket if the user returns while the socket is still opening', async () => {
    await connect();
    comeBack();
    await pass(60_000);
    expect(sockets.map(({ sent }) => sent)).toEqual([[]]);
  });

  test('requests no second ticket if the user returns to the page during a request for a ticket', async () => {
    const ticket = Promise.withResolvers<Response>();
    answers = [() => ticket.promise];
    await connect();
    comeBack();
    window.dispatchEvent(new Event('online'));
    ticket.resolve(Response.json({ ticket: 'late', expires_in: 30 }));
    await pass(0);
    expect([asked, sockets.length]).toEqual([1, 1]);
  });

  test('acknowledges a notice to the server only over an open socket', async () => {
    const { connection } = await connect();
    connection.acknowledge('too-early');
    last().open();
    connection.acknowledge('notice-2');
    expect(last().sent.map((frame) => JSON.parse(frame))).toEqual([{ type: 'ack', id: 'notice-2' }]);
    last().lose();
    expect(() => connection.acknowledge('too-late')).not.toThrow();
  });

  test('distinguishes notices from their withdrawals, and ignores other messages', async () => {
    const { socket, messages, ended } = await open();
    socket.hear(JSON.stringify(rejectionMessage));
    socket.hear(JSON.stringify({ type: 'notices_ended', ids: ['a', 'b'] }));
    for (const frame of ['pong', '{', 'null', '{"type":"toString","id":"x"}', '{"type":"post_hidden","id":7}'])
      socket.hear(frame);
    socket.hear(JSON.stringify({ type: 'notices_ended', ids: 'a' }));
    socket.hear(JSON.stringify({ type: 'notices_ended' }));
    expect([messages, ended]).toEqual([[rejectionMessage], [['a', 'b']]]);
  });

  test('does not reopen after the app closed it, even when the user or the network returns', async () => {
    const { connection, socket } = await open();
    connection.close();
    expect(socket.isClosed).toBe(true);
    socket.lose();
    window.dispatchEvent(new Event('online'));
    comeBack();
    await pass(200_000);
    expect([asked, socket.sent]).toEqual([1, []]);
  });

  test('opens no socket if the app closes the connection during a request for a ticket or before the next try', async () => {
    const ticket = Promise.withResolvers<Response>();
    answers = [() => ticket.promise, unavailable];
    const { connection } = await connect();
    connection.close();
    ticket.resolve(Response.json({ ticket: 'late', expires_in: 30 }));
    await pass(60_000);
    expect([asked, sockets.length]).toEqual([1, 0]);
    const waiting = await connect();
    waiting.connection.close();
    await pass(60_000);
    expect([asked, sockets.length]).toEqual([2, 0]);
  });

  test('after several failed tries to connect, waits twice as long before each further try, up to a minute', async () => {
    answers = Array.from({ length: 12 }, () => unavailable);
    await connect();
    const waits: number[] = [];
    for (let turn = 0; turn < 11; turn++) {
      const before = asked;
      let waited = 0;
      for (; asked === before; waited += 500) await pass(500);
      waits.push(waited);
    }
    // From the second try on, a random delay is added: here one second, half of the maximum.
    expect(waits).toEqual([5_000, 6_000, 6_000, 6_000, 6_000, 6_000, 11_000, 21_000, 41_000, 61_000, 61_000]);
    await pass(61_000);
    last().open();
    last().lose();
    await pass(4_900);
    expect(sockets).toHaveLength(1);
    await pass(200);
    expect(sockets).toHaveLength(2);
  });

  test('requests no ticket for a WebSocket while there is no network, even if the user returns to the page', async () => {
    const findNetwork = loseNetwork();
    await connect();
    comeBack();
    await pass(60_000);
    expect(asked).toBe(0);
    findNetwork();
    window.dispatchEvent(new Event('online'));
    await pass(0);
    expect(sockets).toHaveLength(1);
  });

  test('requests no further ticket for opening a socket after the server has ended the session', async () => {
    answers = [() => Response.json({ code: 'unauthorized', detail: '…' }, { status: 401 })];
    await connect();
    await pass(200_000);
    expect([asked, getSession()]).toEqual([1, null]);
  });

  test('does not reopen for the first person after another person has signed in on the same page', async () => {
    const { socket } = await open();
    signInAs({ token: 'another-token', userId: 'juma' });
    socket.lose(4401);
    await pass(200_000);
    comeBack();
    await pass(0);
    expect([asked, getSession()?.userId]).toEqual([1, 'juma']);
  });

  test('reopens with the new session token when the token is replaced', async () => {
    const { socket } = await open();
    await replaceToken(async () => 'another-token');
    socket.lose(4401);
    await pass(0);
    expect([sockets.length, getSession()?.token]).toEqual([2, 'another-token']);
  });

  test('tries again with the new session token if the server refused the old token', async () => {
    answers = [
      async () => {
        await replaceToken(async () => 'another-token');
        return Response.json({ code: 'unauthorized', detail: '…' }, { status: 401 });
      },
    ];
    await connect();
    expect([asked, sockets.length, getSession()?.token]).toEqual([2, 1, 'another-token']);
  });
});

describe('the retry after a failed try to open the live connection', () => {
  let asked: number;
  let connection: LiveConnection | undefined;

  beforeEach(() => {
    asked = 0;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(console, 'warn').mockImplementation(() => {});
  });
  afterEach(() => {
    connection?.close();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /** A server that issues no ticket. */
  function refuse(headers: Record<string, string>): void {
    vi.stubGlobal('fetch', async () => {
      asked++;
      return Response.json({ code: 'unavailable', detail: '…' }, { status: 503, headers });
    });
    connection = new LiveConnection(
      'asha',
      () => {},
      () => {},
    );
  }

  test('waits as long as the server asks, even if the user returns to the page', async () => {
    refuse({ 'Retry-After': '20' });
    await vi.advanceTimersByTimeAsync(19_000);
    window.dispatchEvent(new Event('online'));
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(900);
    expect(asked).toBe(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(asked).toBe(2);
  });

  test('if the server names no waiting time, the retry comes after 5 seconds, or at once when the network returns', async () => {
    refuse({});
    await vi.advanceTimersByTimeAsync(4_900);
    expect(asked).toBe(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(asked).toBe(2);
    window.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toBe(3);
  });
});
