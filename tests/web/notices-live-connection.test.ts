import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveMessage } from '#contract/live-messages.ts';
import { getSession, replaceToken, signInAs } from '#web/lib/session.ts';
import { LiveConnection } from '#web/notices/live-connection.ts';
import { HeldSocket, sockets } from './support/held-socket.ts';
import { rejectionMessage } from './support/live.tsx';
import { loseNetwork } from './support/phone.ts';

/** What asking for a ticket is answered; left empty, each is given one. */
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

test('the socket is opened at the person’s own address, with a ticket', async () => {
  const { socket } = await open();
  expect(socket.address).toMatch(/\/ws\/asha%2F1$/);
  expect(socket.protocols).toEqual(['patikana.v1', 'ticket.t1']);
});

test('a socket is asked once a minute whether it lives, and left alone while it answers', async () => {
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

test('any word is an answer, too', async () => {
  const { socket } = await open();
  await pass(60_000);
  socket.hear(JSON.stringify(rejectionMessage));
  await pass(30_000);
  expect([sockets.length, socket.isClosed]).toEqual([1, false]);
});

test('a socket that does not answer for 10 seconds is given up for another, at once', async () => {
  const { socket, messages } = await open();
  await pass(69_900);
  expect(socket.isClosed).toBe(false);
  await pass(200);
  expect([socket.isClosed, sockets.length]).toEqual([true, 2]);
  // What the dead one still says, or that it has closed at last, is about nothing any more.
  socket.hear(JSON.stringify(rejectionMessage));
  socket.lose();
  last().open();
  await pass(60_000);
  expect([messages.length, sockets.length, socket.sent.length]).toEqual([0, 2, 1]);
  expect(last().sent).toEqual(['ping']);
});

test('a hidden page asks nothing of its socket', async () => {
  const { socket } = await open();
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  comeBack();
  await pass(200_000);
  expect(socket.sent).toEqual([]);
  visibility.mockReturnValue('visible');
  comeBack();
  expect(socket.sent).toEqual(['ping']);
});

test('whoever comes back, or whose network does, asks the open socket once', async () => {
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

test('coming back while the socket is still being opened opens no other, and asks nothing', async () => {
  await connect();
  comeBack();
  await pass(60_000);
  expect(sockets.map(({ sent }) => sent)).toEqual([[]]);
});

test('coming back while a ticket is on its way asks for no other', async () => {
  const ticket = Promise.withResolvers<Response>();
  answers = [() => ticket.promise];
  await connect();
  comeBack();
  window.dispatchEvent(new Event('online'));
  ticket.resolve(Response.json({ ticket: 'late', expires_in: 30 }));
  await pass(0);
  expect([asked, sockets.length]).toEqual([1, 1]);
});

test('a notice is acknowledged where the socket is open, and nowhere else', async () => {
  const { connection } = await connect();
  connection.acknowledge('too-early');
  last().open();
  connection.acknowledge('notice-2');
  expect(last().sent.map((frame) => JSON.parse(frame))).toEqual([{ type: 'ack', id: 'notice-2' }]);
  last().lose();
  expect(() => connection.acknowledge('too-late')).not.toThrow();
});

test('notices and their ends are told apart, and what is neither is passed over', async () => {
  const { socket, messages, ended } = await open();
  socket.hear(JSON.stringify(rejectionMessage));
  socket.hear(JSON.stringify({ type: 'notices_ended', ids: ['a', 'b'] }));
  for (const frame of ['pong', '{', 'null', '{"type":"toString","id":"x"}', '{"type":"post_hidden","id":7}'])
    socket.hear(frame);
  socket.hear(JSON.stringify({ type: 'notices_ended', ids: 'a' }));
  socket.hear(JSON.stringify({ type: 'notices_ended' }));
  expect([messages, ended]).toEqual([[rejectionMessage], [['a', 'b']]]);
});

test('whoever closes the connection has none any more, whatever happens', async () => {
  const { connection, socket } = await open();
  connection.close();
  expect(socket.isClosed).toBe(true);
  socket.lose();
  window.dispatchEvent(new Event('online'));
  comeBack();
  await pass(200_000);
  expect([asked, socket.sent]).toEqual([1, []]);
});

test('a connection that is closed while it waits or asks is not opened', async () => {
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

test('after the fifth failure the wait doubles, up to a minute, and is short again after a success', async () => {
  answers = Array.from({ length: 12 }, () => unavailable);
  await connect();
  const waits: number[] = [];
  for (let turn = 0; turn < 11; turn++) {
    const before = asked;
    let waited = 0;
    for (; asked === before; waited += 500) await pass(500);
    waits.push(waited);
  }
  // From the second on there is half of two seconds of chance in it.
  expect(waits).toEqual([5_000, 6_000, 6_000, 6_000, 6_000, 6_000, 11_000, 21_000, 41_000, 61_000, 61_000]);
  await pass(61_000);
  last().open();
  last().lose();
  await pass(4_900);
  expect(sockets).toHaveLength(1);
  await pass(200);
  expect(sockets).toHaveLength(2);
});

test('without a network nothing is asked for, until there is one', async () => {
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

test('a session that has ended is not asked for again', async () => {
  answers = [() => Response.json({ code: 'unauthorized', detail: '…' }, { status: 401 })];
  await connect();
  await pass(200_000);
  expect([asked, getSession()]).toEqual([1, null]);
});

test('whoever has logged in as somebody else meanwhile gets nobody’s old connection', async () => {
  const { socket } = await open();
  signInAs({ token: 'another-token', userId: 'juma' });
  socket.lose(4401);
  await pass(200_000);
  comeBack();
  await pass(0);
  expect([asked, getSession()?.userId]).toEqual([1, 'juma']);
});

test('a token that was replaced since goes on', async () => {
  const { socket } = await open();
  await replaceToken(async () => 'another-token');
  socket.lose(4401);
  await pass(0);
  expect([sockets.length, getSession()?.token]).toEqual([2, 'another-token']);
});

test('a token that is refused a ticket, and was replaced meanwhile, goes on', async () => {
  answers = [
    async () => {
      await replaceToken(async () => 'another-token');
      return Response.json({ code: 'unauthorized', detail: '…' }, { status: 401 });
    },
  ];
  await connect();
  expect([asked, sockets.length, getSession()?.token]).toEqual([2, 1, 'another-token']);
});
