import { expect, test } from 'vitest';
import { CLIENT_ERROR_MAX_BYTES } from '#contract/limits.ts';
import { LIMITS } from '#worker/limits/limits.ts';
import { call, newPerson } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';

const BROKEN = {
  name: 'TypeError',
  frames: ['/assets/app-Bx3_k-9a.js:1:2345', '/assets/posts-D4.js:12:7'],
};

function tell(body: unknown, caller = {}): Promise<Response> {
  return call('POST', '/api/client-errors', body, caller);
}

test('what broke in a browser is a line of the log that names its request, whoever tells of it', async () => {
  const logs = captureLogs();
  const answer = await tell({ ...BROKEN, message: 'Mpigie Asha 0712345678' }, await newPerson());
  expect(answer.status).toBe(204);
  expect(logs.warn.mock.calls).toEqual([
    [{ event: 'client_error', request_id: answer.headers.get('X-Request-Id'), ...BROKEN }],
  ]);
});

test.each([
  ['a name that is none', { name: 'Asha Juma' }],
  ['a frame of elsewhere', { frames: ['https://example.com/a.js:1:2'] }],
  ['a frame with a text in it', { frames: ['/assets/app.js:1:2 Asha'] }],
  ['no frame', { frames: [] }],
])('%s is refused, and nothing is logged', async (_what, wrong) => {
  const logs = captureLogs();
  expect((await tell({ ...BROKEN, ...wrong })).status).toBe(422);
  expect(logs.warn).not.toHaveBeenCalled();
});

test('2 KiB are read, and no more', async () => {
  captureLogs();
  const padding = 'x'.repeat(CLIENT_ERROR_MAX_BYTES - JSON.stringify({ ...BROKEN, padding: '' }).length);
  expect((await tell({ ...BROKEN, padding })).status).toBe(204);
  expect((await tell({ ...BROKEN, padding: `${padding}x` })).status).toBe(413);
  expect((await tell({ ...BROKEN, padding: 'x'.repeat(CLIENT_ERROR_MAX_BYTES) })).status).toBe(413);
});

test('an address that tells too much is not listened to for a while', async () => {
  captureLogs();
  const caller = { headers: { 'CF-Connecting-IP': '203.0.113.77' } };
  const { max } = LIMITS.client_error_address;
  for (let sent = 0; sent < max; sent++) expect((await tell(BROKEN, caller)).status).toBe(204);
  const answer = await tell(BROKEN, caller);
  expect(answer.status).toBe(429);
  expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/);
});
