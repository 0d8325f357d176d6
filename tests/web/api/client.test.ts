import { fireEvent } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest';
import type { Community } from '#contract/communities.ts';
import type { Post, PostEntry } from '#contract/posts.ts';
import { refuse } from '#tests/web/support/posts.ts';
import { server } from '#tests/web/support/setup.ts';
import { ApiError, api, callApi, failureText, mayPass, onNumberNeeded } from '#web/api/client.ts';
import { expireSession, getSession, onSessionChange, replaceToken, signInAs } from '#web/api/session.ts';
import { changeLanguage } from '#web/lib/i18n.ts';

describe('the API client', () => {
  beforeEach(() => changeLanguage('en'));
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  type Answer = (request: Request) => Response | Promise<Response>;

  function serve(answer: Answer) {
    server.use(http.all('*/api/*', ({ request }) => answer(request) as never));
  }

  async function failureOf(answer: Answer): Promise<ApiError> {
    serve(answer);
    const error = await api('GET /me').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    return error as ApiError;
  }

  test.each(['en', 'sw'] as const)('a request carries the user’s token and the language %s', async (language) => {
    await changeLanguage(language);
    const headers: Headers[] = [];
    serve((request) => {
      headers.push(request.headers);
      return HttpResponse.json({}, { headers: { 'X-Total': '3' } });
    });
    await api('GET /me');
    signInAs({ token: 'T', userId: 'asha' });
    expect((await callApi('GET /me', { headers: { 'X-Own': 'a' } })).headers.get('X-Total')).toBe('3');
    await api('DELETE /push/subscriptions', { body: { endpoint: 'e' }, token: 'former' });
    expect(headers.map((one) => one.get('Authorization'))).toEqual([null, 'Bearer T', 'Bearer former']);
    expect(headers.map((one) => one.get('Accept-Language'))).toEqual([language, language, language]);
    expect(headers[1]?.get('X-Own')).toBe('a');
  });

  test('a file is sent as the unchanged request body, and the option keepalive is passed to fetch', async () => {
    const sent: [string, RequestInit][] = [];
    const fetch = async (address: string, request: RequestInit) => {
      sent.push([address, request]);
      return HttpResponse.json({});
    };
    const file = new Blob(['a picture'], { type: 'image/webp' });
    await api('POST /posts/:id/photos', { params: { id: 'one' }, query: { alt: 'Mbele' }, file, fetch });
    await api('DELETE /push/subscriptions', { body: { endpoint: 'e' }, keepalive: true, fetch });
    expect(sent[0]?.[0]).toMatch(/\/api\/posts\/one\/photos\?alt=Mbele$/);
    const [photo, ending] = sent.map(([, request]) => request);
    expect(photo).toMatchObject({ method: 'POST', keepalive: false, headers: { 'Content-Type': 'image/webp' } });
    expect(photo?.body).toBe(file);
    expect(ending).toMatchObject({ method: 'DELETE', keepalive: true, body: '{"endpoint":"e"}' });
  });

  test('a response without a body results in null', async () => {
    serve(() => new HttpResponse(null, { status: 204 }));
    expect(await api('DELETE /posts/:id', { params: { id: 'one' } })).toBeNull();
  });

  /** The first half of a response. The test decides what follows. */
  function half(then: (controller: ReadableStreamDefaultController) => void): Response {
    const start = (controller: ReadableStreamDefaultController) => {
      controller.enqueue(new TextEncoder().encode('{"id":'));
      then(controller);
    };
    return new HttpResponse(new ReadableStream({ start }), { headers: { 'Content-Type': 'application/json' } });
  }

  test.each([
    ['breaks off', () => half((controller) => controller.error(new TypeError('The line is down')))],
    ['ends in the middle', () => half((controller) => controller.close())],
    ['is an HTML page of the network', () => new HttpResponse('<html>')],
  ])('a response that %s counts as no response, which is a temporary failure', async (_what, answer) => {
    const error = await failureOf(answer);
    expect(error).toMatchObject({ status: 0, code: 'no_response', detail: '' });
    expect(mayPass(error)).toBe(true);
  });

  test('the error of a refused request contains the response’s status, error code, error message and field errors', async () => {
    const errors = [{ field: 'title', message: 'Title is required' }];
    const error = await failureOf(() => refuse(422, 'validation_failed', 'Please correct it.', errors));
    expect(error).toMatchObject({ status: 422, code: 'validation_failed', detail: 'Please correct it.', errors });
    expect([error.message, error.reference, error.retryAfterMs]).toEqual(['Please correct it.', '', null]);
    expect(failureText(error, 'It failed.')).toBe('Please correct it.');
  });

  test('a failed response without our error code counts as internal_error', async () => {
    const error = await failureOf(
      () => new HttpResponse('<html>', { status: 502, headers: { 'X-Request-Id': 'R-1' } }),
    );
    expect(error).toMatchObject({ status: 502, code: 'internal_error', detail: '', errors: [], message: 'HTTP 502' });
    expect(failureText(error, 'It failed.')).toBe('It failed. Reference: R-1');
  });

  test('a request without a response fails with no_response', async () => {
    const error = await failureOf(() => HttpResponse.error());
    expect(error).toMatchObject({ status: 0, code: 'no_response', detail: '', reference: '' });
    expect(failureText(error, 'It failed.')).toBe('It failed.');
    expect(failureText(new Error('x'), 'It failed.')).toBe('It failed.');
  });

  test.each([
    ['30', 30_000],
    ['0', 0],
    ['Mon, 23 Nov 2026 08:01:30 GMT', 90_000],
    ['Mon, 23 Nov 2026 07:00:00 GMT', 0],
    ['soon', null],
    ['', null],
  ])('the header Retry-After with the value %j is read as a wait of %s milliseconds', async (value, ms) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-23T08:00:00Z') });
    const error = await failureOf(() => HttpResponse.json({}, { status: 429, headers: { 'Retry-After': value } }));
    expect(error.retryAfterMs).toBe(ms);
  });

  test.each([
    ['a failure without a response is temporary', () => HttpResponse.error(), true],
    ['a 500 is temporary', () => refuse(500, 'internal_error'), true],
    [
      'a 429 with a waiting time is temporary',
      () => HttpResponse.json({}, { status: 429, headers: { 'Retry-After': '1' } }),
      true,
    ],
    ['a 429 without a waiting time is final', () => refuse(429, 'too_many_requests'), false],
    ['a 404 is final', () => refuse(404, 'not_found'), false],
  ])('a failure is temporary or final: %s', async (_what, answer, isPassing) => {
    expect(mayPass(await failureOf(answer))).toBe(isPassing);
    expect(mayPass(new Error('x'))).toBe(false);
  });

  test('the error unauthorized ends the session, and the error not_a_member does not', async () => {
    signInAs({ token: 'T', userId: 'asha' });
    await failureOf(() => refuse(403, 'not_a_member'));
    expect(getSession()?.token).toBe('T');
    await failureOf(() => refuse(401, 'unauthorized'));
    await vi.waitFor(() => expect(getSession()).toBeNull());
  });

  test('a refusal because the account has no phone number notifies the listeners of onNumberNeeded', async () => {
    const heard = vi.fn();
    onTestFinished(onNumberNeeded(heard) as () => void);
    await failureOf(() => refuse(403, 'not_a_member'));
    expect(heard).not.toHaveBeenCalled();
    await failureOf(() => refuse(403, 'number_needed'));
    expect(heard).toHaveBeenCalledOnce();
  });

  test('a request without a response fails after thirty seconds', async () => {
    const timeout = new AbortController();
    const timeouts = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
    const failed = failureOf(() => {
      timeout.abort();
      return new Promise<never>(() => undefined);
    });
    expect((await failed).code).toBe('no_response');
    expect(timeouts).toHaveBeenCalledExactlyOnceWith(30_000);
  });

  test('a request whose response body stalls for thirty seconds fails with no_response', async () => {
    const timeout = new AbortController();
    const fetch = vi.spyOn(globalThis, 'fetch');
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
    const failed = failureOf(() => half(() => undefined));
    await vi.waitFor(() => expect(fetch).toHaveResolved());
    timeout.abort();
    expect((await failed).code).toBe('no_response');
  });

  test('a request aborted before its response rejects with an AbortError', async () => {
    const cancelling = new AbortController();
    serve(() => {
      cancelling.abort();
      return new Promise<never>(() => undefined);
    });
    await expect(api('GET /me', { signal: cancelling.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('a request aborted during its response rejects with an AbortError', async () => {
    const cancelling = new AbortController();
    const fetch = vi.spyOn(globalThis, 'fetch');
    serve(() => half(() => undefined));
    const asked = expect(api('GET /me', { signal: cancelling.signal })).rejects.toMatchObject({ name: 'AbortError' });
    await vi.waitFor(() => expect(fetch).toHaveResolved());
    cancelling.abort();
    await asked;
  });
});

/** Answers every request with an empty JSON object, and records the requests. */
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

test('an endpoint’s request is built from its path parameters, query and body', async () => {
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

test('the client’s TypeScript types match the API contract, and wrong parameters and bodies are type errors', () => {
  expectTypeOf(api<'GET /posts/:id'>).returns.resolves.toEqualTypeOf<Post>();
  expectTypeOf(api<'GET /posts'>).returns.resolves.toEqualTypeOf<PostEntry[]>();
  expectTypeOf(api<'GET /communities'>).returns.resolves.toEqualTypeOf<Community[]>();
  expectTypeOf(api<'DELETE /posts/:id'>).returns.resolves.toEqualTypeOf<null>();
  expectTypeOf(api<'GET /me'>).toBeCallableWith('GET /me');
  // @ts-expect-error: no such endpoint
  type Unknown = typeof api<'GET /post/:id'>;
  const mistakes = (): Unknown | unknown[] => [
    // @ts-expect-error: the path's parameter is missing
    api('GET /posts/:id'),
    // @ts-expect-error: the path's parameter has another name
    api('GET /posts/:id', { params: { post: '1' } }),
    // @ts-expect-error: the endpoint takes no body
    api('GET /me', { body: {} }),
    // @ts-expect-error: the body has no such field
    api('POST /communities/join', { body: { code: '' } }),
    // @ts-expect-error: the endpoint takes `form`, not `body`
    api('POST /login', { body: { username: '', password: '' } }),
    // @ts-expect-error: the endpoint has no search
    api('GET /notices', { query: { search: '' } }),
  ];
  expect(mistakes).toBeTypeOf('function');
});

test('a sign-in in another tab notifies the session’s listeners only once, although the sign-in changes two storage keys', () => {
  const changes: unknown[] = [];
  const stop = onSessionChange((session, change) => changes.push([session, change]));
  onTestFinished(() => void stop());
  localStorage.setItem('token', 'T');
  localStorage.setItem('userID', 'U');
  for (const key of ['token', 'userID', 'i18nextLng']) fireEvent(window, new StorageEvent('storage', { key }));
  expect(changes).toEqual([[{ token: 'T', userId: 'U' }, 'elsewhere']]);
  localStorage.clear();
  fireEvent(window, new StorageEvent('storage', { key: null }));
  expect(changes.at(-1)).toEqual([null, 'elsewhere']);
});

test('if another tab stores a new session token of the same person, onSessionChange reports the change as “renewed”', () => {
  signInAs({ token: 'T', userId: 'U' });
  const changes: unknown[] = [];
  const stop = onSessionChange((session, change) => changes.push([session?.token, change]));
  onTestFinished(() => void stop());
  localStorage.setItem('token', 'T2');
  fireEvent(window, new StorageEvent('storage', { key: 'token' }));
  expect(changes).toEqual([['T2', 'renewed']]);
});

test('while a session token is being replaced, a refusal of the old token does not end the session', async () => {
  const held = holdLocks();
  signInAs({ token: 'T', userId: 'U' });
  const { promise: answer, resolve } = Promise.withResolvers<string>();
  const replaced = replaceToken(() => answer);
  const refused = expireSession('T');
  resolve('T2');
  await replaced;
  await held();
  await refused;
  expect(getSession()).toEqual({ token: 'T2', userId: 'U' });
});

test('the session ends if its token is refused and could not be replaced', async () => {
  holdLocks();
  signInAs({ token: 'T', userId: 'U' });
  await expect(
    replaceToken(async () => {
      void expireSession('T');
      throw new Error('401');
    }),
  ).rejects.toThrow('401');
  await vi.waitFor(() => expect(getSession()).toBeNull());
});

/**
 * Simulates `navigator.locks`, which jsdom does not have, with one queue for all locks.
 * @returns a function that waits until the queue is empty.
 */
function holdLocks(): () => Promise<unknown> {
  let line: Promise<unknown> = Promise.resolve();
  const request = (_name: string, run: () => unknown) => {
    const turn = line.then(run);
    line = turn.catch(() => undefined);
    return turn;
  };
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'locks'));
  return () => line;
}
