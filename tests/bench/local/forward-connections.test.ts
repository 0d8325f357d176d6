import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { expect, test } from 'vitest';
import { forwardConnections } from '#scripts/dev/forward-connections.ts';

const PIECE = 'x'.repeat(4_096);
const REQUESTS = 40;
/** Far more than five pieces cost, far less than one wait of 40 ms for an acknowledgement does. */
const RATIO_MAX = 50;

/** Answers `/5` in five pieces, each written by itself. @returns its port. */
async function startServer(): Promise<number> {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (request) => {
      const pieces = Number(/^GET \/(\d+)/.exec(`${request}`)?.[1]);
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${pieces * PIECE.length}\r\n\r\n`);
      const write = (left: number) => {
        socket.write(PIECE);
        if (left > 1) setImmediate(write, left - 1);
      };
      setImmediate(write, pieces);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return portOf(server);
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** The median time of an answer over one connection. */
async function measure(port: number, pieces: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let turn = 0; turn < REQUESTS; turn++) {
    const start = performance.now();
    const [answer] = (await once(get({ agent, host: '127.0.0.1', port, path: `/${pieces}` }), 'response')) as [
      IncomingMessage,
    ];
    await once(answer.resume(), 'end');
    times.push(performance.now() - start);
  }
  agent.destroy();
  return times.sort((left, right) => left - right)[REQUESTS / 2] ?? Number.POSITIVE_INFINITY;
}

test('an answer in pieces passes the local server without waiting for acknowledgements', async () => {
  const host = '127.0.0.1';
  const target = { host, port: await startServer() };
  const port = portOf(await forwardConnections({ host, port: 0 }, () => target));
  const whole = await measure(port, 1);
  expect((await measure(port, 5)) / whole).toBeLessThan(RATIO_MAX);
});
