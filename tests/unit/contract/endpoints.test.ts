import { expect, test } from 'vitest';
import { ENDPOINTS, type Endpoint } from '#contract/endpoints.ts';
import { exportSchema } from '#contract/leaving.ts';
import { problemsOf } from './expect-problems.ts';

const ALL = Object.entries<Endpoint>(ENDPOINTS);

function namesWhere(is: (endpoint: Endpoint, method: string) => boolean): string[] {
  return ALL.filter(([name, endpoint]) => is(endpoint, name.split(' ')[0] ?? '')).map(([name]) => name);
}

function hasField(schema: Endpoint['query'], field: string): boolean {
  return problemsOf(schema ?? exportSchema, { [field]: {} }).some((problem) => problem.startsWith(`${field}:`));
}

test('every endpoint says what it does in a sentence or two', () => {
  for (const [name, { summary }] of ALL)
    expect([name, summary]).toEqual([name, expect.stringMatching(/^[A-Z].+\w.*\.$/)]);
});

test('a list that takes a cursor names its next page, and no other does', () => {
  const taking = namesWhere(({ query }) => query !== undefined && hasField(query, 'cursor'));
  expect(namesWhere(({ isPaged }) => isPaged === true)).toEqual(taking);
});

test('an answer of an endpoint is described unless there is none', () => {
  expect(namesWhere(({ status }) => status === 204)).toEqual(namesWhere(({ answer }) => answer === undefined));
});

test('only a change has a body, signing in alone is a form, and a photo alone is a file', () => {
  expect(namesWhere(({ body, fileTypes }, method) => method === 'GET' && (body ?? fileTypes) !== undefined)).toEqual(
    [],
  );
  expect(namesWhere(({ isForm }) => isForm === true)).toEqual(['POST /login']);
  expect(namesWhere(({ fileTypes }) => fileTypes !== undefined)).toEqual(['POST /posts/:id/photos']);
  expect(ENDPOINTS['POST /posts/:id/photos'].fileTypes).toEqual(['image/jpeg', 'image/png', 'image/webp']);
});

test('a change that needs no body is one of these', () => {
  const bodyless = namesWhere(
    ({ body, fileTypes }, method) => /POST|PUT|PATCH/.test(method) && (body ?? fileTypes) === undefined,
  );
  expect(bodyless).toEqual([
    'POST /me/sign-out-everywhere',
    'POST /me/token',
    'PATCH /posts/:id/found',
    'POST /posts/:id/wake',
    'POST /posts/:id/block-author',
    'POST /matches/:pairId/confirm',
    'POST /matches/:pairId/dismiss',
    'POST /claims/:id/accept',
    'POST /claims/:id/decline',
    'POST /claims/:id/undo',
    'POST /claims/:id/withdraw',
    'POST /claims/:id/block',
    'POST /communities/:id/reopen',
    'POST /communities/:id/access-code',
    'POST /communities/:id/join-requests/:userId/accept',
    'POST /communities/:id/join-requests/:userId/decline',
    'POST /notices/:id/dismiss',
    'POST /realtime/ticket',
    'POST /me/passkeys/options',
    'POST /admin/step-up/options',
    'POST /admin/posts/:id/undo',
  ]);
});

test('a deletion that needs a body is one of these', () => {
  expect(namesWhere(({ body }, method) => method === 'DELETE' && body !== undefined)).toEqual([
    'DELETE /me',
    'DELETE /push/subscriptions',
  ]);
});

test('the lists that can be asked for in parts or by words are these', () => {
  expect(namesWhere(({ query }) => query !== undefined)).toEqual([
    'GET /posts',
    'GET /posts/by-owner',
    'POST /posts/:id/photos',
    'GET /claims',
    'GET /communities',
    'GET /communities/approved',
    'GET /communities/:id/members',
    'GET /communities/:id/join-requests',
    'GET /notices',
    'GET /admin/communities',
    'GET /admin/communities/:id/members',
    'GET /admin/search',
    'GET /admin/feedback',
    'GET /admin/reports',
    'GET /admin/log',
    'GET /dev/whatsapp-messages',
    'GET /dev/emails',
  ]);
});

test('the last member’s leaving closes the community, which is accepted and not yet done', () => {
  expect(namesWhere(({ status, otherwise }) => status === 202 || otherwise !== undefined)).toEqual([
    'DELETE /communities/:id',
    'DELETE /communities/:id/members/:userId',
  ]);
});

test('everybody’s export has all of its parts', () => {
  expect(problemsOf(exportSchema, {}).map((problem) => problem.split(':')[0])).toEqual([
    'me',
    'devices',
    'posts',
    'photos',
    'communities',
    'claims',
    'notices',
    'reports',
    'blocks',
    'settings',
    'push',
  ]);
});
