import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ApiError, api, callApi, mayPass } from '#web/lib/api-client.ts';
import { describeFailure } from '#web/lib/describe-failure.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { onNumberNeeded } from '#web/lib/number-needed.ts';
import { getSession, signInAs } from '#web/lib/session.ts';
import { refuse } from './support/posts.ts';
import { server } from './support/setup.ts';

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

test.each(['en', 'sw'] as const)('a request is its reader’s, and answered in their language: %s', async (language) => {
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

test('a file is sent as it is, and what is to outlive the page is marked so', async () => {
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

test('an answer of nothing is null', async () => {
  serve(() => new HttpResponse(null, { status: 204 }));
  expect(await api('DELETE /posts/:id', { params: { id: 'one' } })).toBeNull();
});

/** The first half of an answer; what follows is up to the test. */
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
  ['is a page of the network’s own', () => new HttpResponse('<html>')],
])('an answer that %s is none, and may come another time', async (_what, answer) => {
  const error = await failureOf(answer);
  expect(error).toMatchObject({ status: 0, code: 'no_response', detail: '' });
  expect(mayPass(error)).toBe(true);
});

test('a refusal is told with its status, code, sentence and fields', async () => {
  const errors = [{ field: 'title', message: 'Title is required' }];
  const error = await failureOf(() => refuse(422, 'validation_failed', 'Please correct it.', errors));
  expect(error).toMatchObject({ status: 422, code: 'validation_failed', detail: 'Please correct it.', errors });
  expect([error.message, error.reference, error.retryAfterMs]).toEqual(['Please correct it.', '', null]);
  expect(describeFailure(error, 'It failed.')).toBe('Please correct it.');
});

test('a failure without a word of ours is an error that nobody expected', async () => {
  const error = await failureOf(() => new HttpResponse('<html>', { status: 502, headers: { 'X-Request-Id': 'R-1' } }));
  expect(error).toMatchObject({ status: 502, code: 'internal_error', detail: '', errors: [], message: 'HTTP 502' });
  expect(describeFailure(error, 'It failed.')).toBe('It failed. Reference: R-1');
});

test('no answer has a code of its own', async () => {
  const error = await failureOf(() => HttpResponse.error());
  expect(error).toMatchObject({ status: 0, code: 'no_response', detail: '', reference: '' });
  expect(describeFailure(error, 'It failed.')).toBe('It failed.');
  expect(describeFailure(new Error('x'), 'It failed.')).toBe('It failed.');
});

test.each([
  ['30', 30_000],
  ['0', 0],
  ['Mon, 23 Nov 2026 08:01:30 GMT', 90_000],
  ['Mon, 23 Nov 2026 07:00:00 GMT', 0],
  ['soon', null],
  ['', null],
])('a server that asks to be left alone until %j means %s milliseconds', async (value, ms) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-23T08:00:00Z') });
  const error = await failureOf(() => HttpResponse.json({}, { status: 429, headers: { 'Retry-After': value } }));
  expect(error.retryAfterMs).toBe(ms);
});

test.each([
  ['no answer', () => HttpResponse.error(), true],
  ['a 500', () => refuse(500, 'internal_error'), true],
  ['a 429 with a time', () => HttpResponse.json({}, { status: 429, headers: { 'Retry-After': '1' } }), true],
  ['a 429 without', () => refuse(429, 'too_many_requests'), false],
  ['a 404', () => refuse(404, 'not_found'), false],
])('whether it may pass by itself is known of %s', async (_what, answer, isPassing) => {
  expect(mayPass(await failureOf(answer))).toBe(isPassing);
  expect(mayPass(new Error('x'))).toBe(false);
});

test('only the refusal of one’s own token ends the session', async () => {
  signInAs({ token: 'T', userId: 'asha' });
  await failureOf(() => refuse(403, 'not_a_member'));
  expect(getSession()?.token).toBe('T');
  await failureOf(() => refuse(401, 'unauthorized'));
  await vi.waitFor(() => expect(getSession()).toBeNull());
});

test('that a number is needed is heard by who asks for it', async () => {
  const heard = vi.fn();
  onTestFinished(onNumberNeeded(heard) as () => void);
  await failureOf(() => refuse(403, 'not_a_member'));
  expect(heard).not.toHaveBeenCalled();
  await failureOf(() => refuse(403, 'number_needed'));
  expect(heard).toHaveBeenCalledOnce();
});

test('nobody waits longer than thirty seconds for an answer', async () => {
  const timeout = new AbortController();
  const timeouts = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
  const failed = failureOf(() => {
    timeout.abort();
    return new Promise<never>(() => undefined);
  });
  expect((await failed).code).toBe('no_response');
  expect(timeouts).toHaveBeenCalledExactlyOnceWith(30_000);
});

test('nor longer than that for the rest of one', async () => {
  const timeout = new AbortController();
  const fetch = vi.spyOn(globalThis, 'fetch');
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
  const failed = failureOf(() => half(() => undefined));
  await vi.waitFor(() => expect(fetch).toHaveResolved());
  timeout.abort();
  expect((await failed).code).toBe('no_response');
});

test('a request that is taken back is no failure to tell of', async () => {
  const cancelling = new AbortController();
  serve(() => {
    cancelling.abort();
    return new Promise<never>(() => undefined);
  });
  await expect(api('GET /me', { signal: cancelling.signal })).rejects.toMatchObject({ name: 'AbortError' });
});

test('nor is one that is taken back amid its answer', async () => {
  const cancelling = new AbortController();
  const fetch = vi.spyOn(globalThis, 'fetch');
  serve(() => half(() => undefined));
  const asked = expect(api('GET /me', { signal: cancelling.signal })).rejects.toMatchObject({ name: 'AbortError' });
  await vi.waitFor(() => expect(fetch).toHaveResolved());
  cancelling.abort();
  await asked;
});
