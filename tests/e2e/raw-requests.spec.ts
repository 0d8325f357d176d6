import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ENDPOINTS } from '#contract/endpoints.ts';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { appOrigin } from '#tests/support/e2e-people.ts';

// What is on the wire is the same on every screen size.
test.skip(({ isMobile }) => isMobile);

/** Opens a connection and sends exactly these headers and bytes, which no client library would. */
async function sendRaw(request: string, headers: readonly string[], bytes: string): Promise<Socket> {
  const { hostname, port, host } = new URL(appOrigin());
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = [`${request} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers];
  socket.write(`${head.join('\r\n')}\r\n\r\n${bytes}`);
  return socket;
}

/** The status line, without waiting for the server to close the connection. */
async function readStatus(socket: Socket): Promise<string> {
  const [start] = await once(socket, 'data');
  socket.destroy();
  return String(start).split('\r\n')[0] ?? '';
}

const BROKEN_CHUNKS = [
  // A size that is no number, more bytes than the size says, and a size beyond all bounds.
  'zz\r\n{"title":""}\r\n0\r\n\r\n',
  '5\r\n{"title":""}\r\n0\r\n\r\n',
  'fffffffffffffffff\r\n{"title":""}\r\n0\r\n\r\n',
];

// Here wrangler's proxy refuses such a body before the Worker sees it; tests/worker/http.test.ts checks the Worker's answer.
test('the server answers others after a body that is badly chunked', async () => {
  for (const path of ['/api/users', '/api/login', '/api/whatsapp/webhook']) {
    for (const chunks of BROKEN_CHUNKS) {
      const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
      const refusal = await readStatus(await sendRaw(`POST ${path}`, headers, chunks));
      expect(refusal).toMatch(/^HTTP\/1\.1 [45]\d\d /);
      expect(await readStatus(await sendRaw('GET /api/posts?limit=1', [], ''))).toBe('HTTP/1.1 200 OK');
    }
  }
});

/** Legal in a GET and a HEAD, and sent by proxies. */
const EMPTY_BODIES: Record<string, [headers: string[], bytes: string]> = {
  'Content-Length: 0': [['Content-Length: 0'], ''],
  'Transfer-Encoding: chunked': [['Transfer-Encoding: chunked'], '0\r\n\r\n'],
  'Connection: upgrade': [['Connection: upgrade', 'Upgrade: h2c', 'Content-Length: 0'], ''],
};
const PAGES = [
  '/',
  '/view-posts',
  '/login',
  '/p/unknown',
  '/photos/unknown',
  '/ws/unknown',
  '/unknown',
  '/api/unknown',
];
const READS = Object.keys(ENDPOINTS).filter((name) => name.startsWith('GET '));
const PATHS = [...PAGES, ...READS.map((name) => `/api${name.slice('GET '.length)}`)];

for (const [what, [headers, bytes]] of Object.entries(EMPTY_BODIES)) {
  for (const method of ['GET', 'HEAD']) {
    test(`every ${method} with ${what} gets the status that it gets without`, async () => {
      const differing: string[] = [];
      for (const path of PATHS) {
        const request = `${method} ${path.replace(/:\w+/g, 'unknown')}`;
        const expected = await readStatus(await sendRaw(request, [], ''));
        const status = await readStatus(await sendRaw(request, headers, bytes));
        if (status !== expected) differing.push(`${request}: ${status}, not ${expected}`);
      }
      expect(differing).toEqual([]);
    });
  }
}
