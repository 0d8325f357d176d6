import { env, exports } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import { call, newPerson, ORIGIN, somePost } from '#tests/worker/support/api.ts';
import { app } from '#worker/app.ts';

const CONTEXT = { waitUntil() {}, passThroughOnException() {}, props: {} } as unknown as ExecutionContext;

async function errorOf(answer: Response): Promise<[number, string]> {
  expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/);
  const { code, detail } = await answer.json<ErrorBody>();
  expect(detail).toMatch(/\S/);
  return [answer.status, code];
}

function raw(method: string, path: string, init: RequestInit = {}): Promise<Response> {
  return exports.default.fetch(new Request(`${ORIGIN}${path}`, { method, ...init }));
}

test.each([
  '/api',
  '/api/',
  '/api/nothing',
  '/api/posts/x/y/z',
  '/api/users/1',
  '/ws',
  '/ws/',
  '/ws/a/b',
  '/api/..%2fposts',
  '/API/posts',
])('the unknown path %s gives 404 in JSON for every method', async (path) => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    expect(await errorOf(await raw(method, path)), method).toEqual([404, 'not_found']);
});

test.each([
  ['POST', '/api/me', 'GET, PATCH, DELETE'],
  ['GET', '/api/login', 'POST'],
  ['PUT', '/api/users', 'POST'],
  ['DELETE', '/api/posts', 'GET, POST'],
  ['POST', '/api/posts/by-owner', 'GET, PUT, DELETE'],
  ['PATCH', '/api/posts/x', 'GET, PUT, DELETE'],
  ['GET', '/api/posts/x/found', 'PATCH, DELETE'],
  ['POST', '/api/posts/x/matches', 'GET'],
  ['GET', '/api/feedback', 'POST'],
  ['OPTIONS', '/api/posts', 'GET, POST'],
  ['POST', '/ws/x', 'GET'],
])(
  'the request %s %s is refused with 405 and the header “Allow: %s”, which lists the allowed methods',
  async (method, path, allow) => {
    const answer = await raw(method, path);
    expect(await errorOf(answer)).toEqual([405, 'method_not_allowed']);
    expect(answer.headers.get('Allow')).toBe(allow);
  },
);

test.each(['/assets/absent.js', '/assets/', '/absent.png', '/photos/x'])(
  'the unknown file URL %s gives an uncached 404 with one sentence in the user’s language',
  async (path) => {
    for (const method of ['GET', 'POST']) {
      const answer = await raw(method, path, { headers: { 'Accept-Language': 'sw' } });
      expect([answer.status, await answer.text()]).toEqual([404, 'Hakuna kitu kwenye anwani hii.']);
      expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain/);
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
      expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    }
  },
);

test('HEAD responds like GET, without a body', async () => {
  const answer = await raw('HEAD', '/api/posts');
  expect([answer.status, await answer.text()]).toEqual([200, '']);
});

test.each([
  ['text/plain', 'x'],
  ['application/x-www-form-urlencoded', 'title=x'],
  ['application/json-patch+json', '{}'],
  [undefined, '{}'],
])('a request body with the content type %s gives 415', async (type, body) => {
  const { token } = await newPerson();
  for (const [method, path] of [
    ['POST', '/api/posts'],
    ['PUT', '/api/posts/x'],
    ['POST', '/api/users'],
    ['POST', '/api/feedback'],
  ] as const) {
    const headers = { Authorization: `Bearer ${token}`, ...(type && { 'Content-Type': type }) };
    // The body is sent as bytes, because a string would set a content type.
    const answer = await raw(method, path, { headers, body: new TextEncoder().encode(body) });
    expect(await errorOf(answer), path).toEqual([415, 'unsupported_media_type']);
  }
});

test('a JSON body is recognised by its content type in any letter case, with or without a charset', async () => {
  const { token } = await newPerson();
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'Application/JSON; charset=UTF-8' };
  expect((await raw('POST', '/api/posts', { headers, body: JSON.stringify(somePost) })).status).toBe(201);
});

test.each(['', '{', '{"title":', 'undefined', "{'title': 'x'}", '{"title": "x",}', '\u0000'])(
  'the body %j is refused as malformed JSON',
  async (body) => {
    const { token } = await newPerson();
    for (const path of ['/api/posts', '/api/users', '/api/feedback'])
      expect(await errorOf(await call('POST', path, body, { token })), path).toEqual([400, 'malformed_json']);
  },
);

test('a form that cannot be read is refused as malformed', async () => {
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
  const answer = await raw('POST', '/api/login', { headers, body: 'not a form' });
  expect(await errorOf(answer)).toEqual([400, 'malformed_request']);
});

test('a body over 16 KiB gives 413, with or without Content-Length', async () => {
  const { token } = await newPerson();
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const large = JSON.stringify({ ...somePost, description: 'x'.repeat(17_000) });
  for (const [method, path] of [
    ['POST', '/api/posts'],
    ['PUT', '/api/posts/x'],
    ['POST', '/api/users'],
    ['POST', '/api/feedback'],
  ] as const) {
    expect(await errorOf(await raw(method, path, { headers, body: large })), path).toEqual([413, 'body_too_large']);
    const chunked = await raw(method, path, { headers, body: chunks(large, 1_000) });
    expect(await errorOf(chunked), `${path} chunked`).toEqual([413, 'body_too_large']);
  }
  const form = new URLSearchParams({ username: 'a@example.com', password: 'x'.repeat(17_000) });
  expect(await errorOf(await raw('POST', '/api/login', { body: form }))).toEqual([413, 'body_too_large']);
});

test('a request body that breaks off is refused as malformed, and is not reported as a server error', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { token } = await newPerson();
  for (const [path, type] of [
    ['/api/posts', 'application/json'],
    ['/api/users', 'application/json'],
    ['/api/login', 'application/x-www-form-urlencoded'],
    ['/api/login', 'multipart/form-data; boundary=x'],
    ['/api/realtime/ticket', 'application/json'],
    ['/api/whatsapp/webhook', 'application/json'],
  ] as const) {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type };
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('{"title":'));
        controller.error(new Error('Network connection lost.'));
      },
    });
    const request = new Request(`${ORIGIN}${path}`, { method: 'POST', headers, body });
    expect(await errorOf(await app.fetch(request, env, CONTEXT)), path).toEqual([400, 'malformed_request']);
  }
  expect(log).not.toHaveBeenCalled();
  log.mockRestore();
});

test.each(['GET', 'HEAD'])(
  'a %s request with an empty body gets the same status as a request without a body',
  async (method) => {
    for (const path of ['/api/posts', '/api/me', '/api/unknown', '/p/unknown', '/photos/unknown']) {
      const request = new Request(ORIGIN + path, { method });
      // The runtime gives a request an empty body if a proxy sent `Content-Length: 0`. The constructor of `Request`
      // refuses a body in a GET or HEAD request.
      const body = new ReadableStream({ start: (controller) => controller.close() });
      Object.defineProperty(request, 'body', { value: body });
      const { status } = await app.fetch(request, env, CONTEXT);
      expect([path, status]).toEqual([path, (await raw(method, path, {})).status]);
    }
  },
);

test('a small body that arrives in chunks is read', async () => {
  const { token } = await newPerson();
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const answer = await raw('POST', '/api/posts', { headers, body: chunks(JSON.stringify(somePost), 10) });
  expect(answer.status).toBe(201);
});

function chunks(text: string, size: number): ReadableStream {
  const bytes = new TextEncoder().encode(text);
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(sent, sent + size));
      sent += size;
    },
  });
}

test.each([
  [undefined, 'en'],
  ['sw', 'sw'],
  ['sw-TZ', 'sw'],
  ['SW', 'sw'],
  ['en-GB,en;q=0.9', 'en'],
  ['fr', 'en'],
  ['fr, sw;q=0.5', 'sw'],
  ['en;q=0.3, sw;q=0.8', 'sw'],
  ['sw;q=0.2, en-US', 'en'],
  ['*', 'en'],
  ['swahili', 'en'],
  [';;;,,q=', 'en'],
])('a request with Accept-Language %j is answered in the language “%s”', async (accepted, language) => {
  const answer = await call('GET', '/api/nothing', undefined, {
    headers: accepted ? { 'Accept-Language': accepted } : {},
  });
  const { detail } = await answer.json<ErrorBody>();
  expect(detail).toBe(language === 'sw' ? 'Hakuna kitu kwenye anwani hii.' : 'There is nothing at this address.');
});

test('every API response has the security headers, and caches may store only the visitors’ list of posts', async () => {
  const { token } = await newPerson();
  for (const [method, path, caller] of [
    ['GET', '/api/posts', {}],
    ['GET', '/api/me', { token }],
    ['GET', '/api/nothing', {}],
    ['POST', '/api/users', {}],
    ['GET', '/api/posts/by-owner', {}],
    ['GET', '/api/posts', { headers: { Upgrade: 'websocket' } }],
    ['GET', '/ws/x', { headers: { Upgrade: 'websocket' } }],
  ] as const) {
    const { headers } = await call(method, path, undefined, caller);
    const csp = headers.get('Content-Security-Policy') ?? '';
    for (const rule of ["default-src 'none'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
      expect(csp).toContain(rule);
    expect(csp).not.toMatch(/unsafe/);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Referrer-Policy')).toBeTruthy();
    expect(headers.get('Permissions-Policy')).toContain('camera=(self)');
    expect(headers.get('Strict-Transport-Security')).toMatch(/max-age=31536000/);
    // Caches may store the list of posts, because all visitors get the same list (edge-cache.test.ts).
    const isShared = path === '/api/posts';
    expect(headers.get('Cache-Control')).toBe(isShared ? 'public, max-age=0, must-revalidate' : 'no-store');
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull();
  }
});

test('the response to a CORS preflight request from another website has no access-control headers', async () => {
  const headers = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' };
  const preflight = await raw('OPTIONS', '/api/posts', { headers });
  expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test.each([
  ['no secret', { JWT_SECRET: undefined }],
  ['no key for codes', { CODE_KEY: undefined }],
  ['no key for limits', { LIMIT_KEY: undefined }],
  ['no key for photos', { PHOTO_KEY: undefined }],
  ['no key for identifiers', { IDENTIFIER_KEY: undefined }],
  ['a secret that is too short', { JWT_SECRET: 'short' }],
  [
    'no WhatsApp credentials',
    { WHATSAPP_TRANSPORT: 'cloud-api', WHATSAPP_ACCESS_TOKEN: undefined, WHATSAPP_PHONE_NUMBER_ID: undefined },
  ],
])(
  'a Worker whose configuration has %s answers 503 to API requests, and logs the wrong variable’s name but not its value',
  async (_what, vars) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    for (const [method, path] of [
      ['GET', '/api/posts'],
      ['POST', '/api/login'],
      ['GET', '/api/nothing'],
    ] as const) {
      const answer = await app.request(
        `${ORIGIN}${path}`,
        { method, headers: { 'Accept-Language': 'sw' } },
        { ...env, ...vars },
        CONTEXT,
      );
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
      const body = await answer.json<ErrorBody>();
      expect([answer.status, body]).toEqual([
        503,
        { code: 'not_configured', detail: 'Huduma haipatikani kwa sasa. Tafadhali jaribu tena baadaye.' },
      ]);
    }
    const logged = JSON.stringify(log.mock.calls);
    expect(logged).toMatch(/JWT_SECRET|_KEY|WHATSAPP_ACCESS_TOKEN/);
    expect(logged).not.toContain('short"');
    log.mockRestore();
  },
);

test('every response has a new request id, even if the request already contains an id', async () => {
  const ids = [];
  for (const path of ['/api/posts', '/api/nothing', '/api/me', '/p/nothing']) {
    const answer = await raw('GET', path, { headers: { 'X-Request-Id': 'mine' } });
    ids.push(answer.headers.get('X-Request-Id'));
  }
  expect(ids.every((id) => /^[\w-]{36}$/.test(id ?? ''))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
});

test('an unexpected error gives 500 with only a request id, and its log line contains no value from the request', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const DB = {
    withSession: () => ({
      prepare: () => {
        throw new Error('secret 0712345678');
      },
    }),
  };
  const answer = await app.request(`${ORIGIN}/api/posts`, {}, { ...env, DB }, CONTEXT);
  const text = await answer.text();
  expect(answer.status).toBe(500);
  expect(JSON.parse(text)).toEqual({
    code: 'internal_error',
    detail: 'Something went wrong on our side. Please try again later.',
    request_id: expect.stringMatching(/^[\w-]{36}$/),
  });
  const logged = JSON.stringify(log.mock.calls);
  expect(logged).toContain(JSON.parse(text).request_id);
  expect(answer.headers.get('X-Request-Id')).toBe(JSON.parse(text).request_id);
  expect(text + logged).not.toContain('0712345678');
  log.mockRestore();
});

test('an overloaded database gives 503 with a Retry-After header', async () => {
  const busy = new Error('D1_ERROR: D1 DB is overloaded. Requests queued for too long.');
  const DB = {
    withSession: () => ({
      prepare: () => {
        throw busy;
      },
    }),
  };
  const answer = await app.request(`${ORIGIN}/api/posts`, {}, { ...env, DB }, CONTEXT);
  expect(answer.headers.get('Retry-After')).toBe('2');
  expect(await errorOf(answer)).toEqual([503, 'unavailable']);
});

test('RATE_LIMITS can be off only if WHATSAPP_TRANSPORT is “local”', async () => {
  const person = await newPerson();
  const off = { ...env, RATE_LIMITS: 'off' };
  const deployed = {
    ...off,
    WHATSAPP_TRANSPORT: 'cloud-api',
    WHATSAPP_ACCESS_TOKEN: 'x',
    WHATSAPP_PHONE_NUMBER_ID: 'x',
  };
  const headers = { Authorization: `Bearer ${person.token}`, 'Content-Type': 'application/json' };
  const post = (bindings: object) =>
    app.request(`${ORIGIN}/api/posts`, { method: 'POST', headers, body: JSON.stringify(somePost) }, bindings, CONTEXT);
  const statuses = [];
  for (let turn = 0; turn < 32; turn++) statuses.push((await post(off)).status);
  expect(new Set(statuses)).toEqual(new Set([201]));
  expect((await post(deployed)).status).toBe(429);
});
