import { expect, test } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import { app } from '#worker/app.ts';
import { call } from './support/api.ts';

/** What anybody may ask without a token. Whoever adds a route decides here that it is public; the rest is not. */
const PUBLIC = new Set([
  'GET /api/openapi.json',
  'GET /api/health',
  'POST /api/users',
  'POST /api/login',
  'GET /api/posts',
  'GET /api/posts/:id',
  'POST /api/feedback',
  'POST /api/client-errors',
  'POST /api/auth/request-password-reset',
  'POST /api/auth/verify-code',
  'POST /api/auth/reset-password',
  // Whoever proves a number may have no account yet.
  'POST /api/auth/number-proofs',
  'GET /api/auth/number-proofs/:id',
  'POST /api/auth/prove-number',
  // Whoever opens the link of an e-mail, on whatever device.
  'POST /api/auth/confirm-email',
  // Whoever has the value that stands in their e-mails.
  'GET /api/email/unsubscribe/:value',
  'POST /api/email/unsubscribe/:value',
  // What a browser subscribes with is no secret.
  'GET /api/push/key',
  // Routes that exist beside the local transport alone.
  'GET /api/dev/whatsapp-messages',
  'POST /api/dev/whatsapp-incoming',
  'GET /api/dev/emails',
  // Meta's webhook, which proves itself by a signature.
  'GET /api/whatsapp/webhook',
  'POST /api/whatsapp/webhook',
]);

function routes(): string[] {
  const own = app.routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api'));
  return [...new Set(own.map(({ method, path }) => `${method} ${path}`))];
}

test('every route but the public ones denies a visitor, whatever is sent', async () => {
  const closed = routes().filter((route) => !PUBLIC.has(route));
  expect(closed.length).toBeGreaterThan(15);
  for (const route of closed) {
    const [method, path] = route.split(' ') as [string, string];
    for (const body of method === 'GET' || method === 'DELETE' ? [undefined] : [undefined, {}, '{']) {
      const answer = await call(method, path.replace(/:\w+(\{[^}]*\})?/g, 'x'), body);
      const { code } = await answer.json<ErrorBody>();
      expect([route, answer.status, code]).toEqual([route, 401, 'unauthorized']);
    }
  }
});

test('the list of public routes names none that is gone', () => {
  const known = new Set(routes());
  expect([...PUBLIC].filter((route) => !known.has(route))).toEqual([]);
});
