import { HttpResponse, http } from 'msw';
import { expect, expectTypeOf, test } from 'vitest';
import type { Community } from '#contract/communities.ts';
import type { Post, PostEntry } from '#contract/posts.ts';
import { api } from '#web/lib/api-client.ts';
import { server } from './support/setup.ts';

/** Answers everything with nothing, and keeps what was asked for. */
function collectRequests(): { line: string; type: string | null; body: string }[] {
  const requests: { line: string; type: string | null; body: string }[] = [];
  server.use(
    http.all('*/api/*', async ({ request }) => {
      const { pathname, search } = new URL(request.url);
      const type = request.headers.get('Content-Type');
      requests.push({ line: `${request.method} ${pathname}${search}`, type, body: await request.text() });
      return HttpResponse.json({});
    }),
  );
  return requests;
}

test('a request is made of its endpoint: names in the path, what is given of the query, the body', async () => {
  const requests = collectRequests();
  await api('GET /communities/:id/members', { params: { id: 'a/b?c' }, query: { limit: '5', cursor: '' } });
  await api('GET /posts', { query: { search: 'simu & pochi', community_code: null } });
  await api('PATCH /posts/:id/found', { params: { id: 'one' } });
  await api('POST /communities/join', { body: { access_code: 'ABCD' } });
  await api('POST /login', { form: { username: 'asha@example.com', password: 'p&q' } });
  await api('POST /auth/verify-code', { body: { whatsapp_number: '1', verification_code: '2' } });
  expect(requests.map(({ line }) => line)).toEqual([
    'GET /api/communities/a%2Fb%3Fc/members?limit=5',
    'GET /api/posts?search=simu+%26+pochi',
    'PATCH /api/posts/one/found',
    'POST /api/communities/join',
    'POST /api/login',
    'POST /api/auth/verify-code',
  ]);
  const [, , , join, login] = requests;
  expect([join?.type, join?.body]).toEqual(['application/json', '{"access_code":"ABCD"}']);
  expect(login?.type).toContain('application/x-www-form-urlencoded');
  expect(login?.body).toBe('username=asha%40example.com&password=p%26q');
});

test('what is sent and answered has the types of the contract', () => {
  expectTypeOf(api<'GET /posts/:id'>).returns.resolves.toEqualTypeOf<Post>();
  expectTypeOf(api<'GET /posts'>).returns.resolves.toEqualTypeOf<PostEntry[]>();
  expectTypeOf(api<'GET /communities'>).returns.resolves.toEqualTypeOf<Community[]>();
  expectTypeOf(api<'DELETE /posts/:id'>).returns.resolves.toEqualTypeOf<null>();
  expectTypeOf(api<'GET /me'>).toBeCallableWith('GET /me');
  // @ts-expect-error: no such endpoint
  type Unknown = typeof api<'GET /post/:id'>;
  const mistakes = (): Unknown | unknown[] => [
    // @ts-expect-error: the path has a name to fill in
    api('GET /posts/:id'),
    // @ts-expect-error: and that is its name
    api('GET /posts/:id', { params: { post: '1' } }),
    // @ts-expect-error: a body that the endpoint does not take
    api('GET /me', { body: {} }),
    // @ts-expect-error: a field that it does not have
    api('POST /communities/join', { body: { code: '' } }),
    // @ts-expect-error: it takes a form
    api('POST /login', { body: { username: '', password: '' } }),
    // @ts-expect-error: nothing to search by there
    api('GET /notices', { query: { search: '' } }),
  ];
  expect(mistakes).toBeTypeOf('function');
});
