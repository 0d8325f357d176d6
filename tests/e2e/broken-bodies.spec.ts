import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ErrorBody } from '#contract/error-codes.ts';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { appOrigin } from '#tests/support/e2e-people.ts';

// What is on the wire is the same on every screen size.
test.skip(({ isMobile }) => isMobile);

/** Sends the very bytes, which no client library would. @returns the answer's status line and its body. */
async function sendRaw(path: string, type: string, chunks: string): Promise<{ status: string; body: string }> {
  const { hostname, port, host } = new URL(appOrigin());
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, `Content-Type: ${type}`, 'Transfer-Encoding: chunked'];
  socket.write(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n${chunks}`);
  const [headers = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { status: headers.split('\r\n')[0] ?? '', body };
}

const BROKEN = {
  'a size that is no number': 'zz\r\n{"title":""}\r\n0\r\n\r\n',
  'more bytes than it says': '5\r\n{"title":""}\r\n0\r\n\r\n',
  'a size beyond all bounds': 'fffffffffffffffff\r\n{"title":""}\r\n0\r\n\r\n',
};

for (const [what, chunks] of Object.entries(BROKEN)) {
  for (const [path, type] of [
    ['/api/users', 'application/json'],
    ['/api/login', 'application/x-www-form-urlencoded'],
    ['/api/whatsapp/webhook', 'application/json'],
  ] as const) {
    test(`a chunk with ${what} is a malformed request to ${path}`, async () => {
      const { status, body } = await sendRaw(path, type, chunks);
      expect(status).toBe('HTTP/1.1 400 Bad Request');
      expect((JSON.parse(body) as ErrorBody).code).toBe('malformed_request');
    });
  }
}
