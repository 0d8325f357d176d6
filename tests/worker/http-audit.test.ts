import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call, newPerson } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';

let logs: ReturnType<typeof captureLogs>;

beforeEach(() => {
  logs = captureLogs();
});
afterEach(() => vi.unstubAllGlobals());

const acted = () => logs.log.mock.calls.map(([line]) => line).filter(({ event }) => event === 'acted');

test.each([
  'POST /api/users',
  'POST /api/auth/request-password-reset',
  'POST /api/auth/verify-code',
  'POST /api/auth/reset-password',
  'POST /api/auth/confirm-email',
  'POST /api/me/password',
  'POST /api/me/sign-out-everywhere',
  'DELETE /api/me/devices/:id',
  'POST /api/me/whatsapp-number/confirm',
  'POST /api/me/email',
  'POST /api/me/export',
  'DELETE /api/me',
  'POST /api/me/passkeys',
  'DELETE /api/me/passkeys/:id',
  'GET /api/admin/week',
  'PUT /api/admin/switches',
])('whoever tries %s is in the log, with what came of it, without an account too', async (name) => {
  const [method = '', route = ''] = name.split(' ');
  const answer = await call(method, route.replace(':id', 'x'));
  expect(answer.status).toBeGreaterThanOrEqual(400);
  const request_id = answer.headers.get('X-Request-Id');
  expect(acted()).toEqual([{ event: 'acted', request_id, method, route, status: answer.status, user_id: null }]);
});

test('what changes neither an account nor what admins see is not in it', async () => {
  const person = await newPerson();
  await call('GET', '/api/me', undefined, person);
  await call('GET', '/api/me/devices', undefined, person);
  await call('POST', '/api/posts', {}, person);
  await call('DELETE', '/api/posts/x', undefined, person);
  await call('PATCH', '/api/me', { language: 'sw' }, person);
  expect(acted()).toEqual([]);
});
