import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { clientErrorSchema } from '#contract/client-errors.ts';
import { describeError } from '#web/app/report-error.ts';
import { server } from './support/setup.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
});

/** An error with the stack that Chromium writes, whose first line is its message. */
function thrownIn(file: string, message = 'Mpigie Asha 0712345678'): Error {
  const error = new TypeError(message);
  error.stack = `TypeError: ${message}\n    at open (https://patikana.test${file}:1:2345)\n    at https://elsewhere.example/x.js:1:2`;
  return error;
}

test('an error is described by its place alone, as the server takes it', () => {
  const report = describeError(thrownIn('/assets/app-B_x.js'));
  expect(report).toEqual({
    name: 'TypeError',
    frames: ['/assets/app-B_x.js:1:2345'],
  });
  expect(clientErrorSchema.safeParse(report).success).toBe(true);
});

test('Safari and Firefox name their frames otherwise, and are understood', () => {
  const error = new Error('x');
  error.stack = 'open@https://patikana.test/assets/app.js:9:8\nglobal code@https://patikana.test/assets/main.js:1:1';
  expect(describeError(error)).toMatchObject({
    frames: ['/assets/app.js:9:8', '/assets/main.js:1:1'],
  });
});

test('what is not of our code is nobody’s business', () => {
  expect(describeError(thrownIn('/injected.js'))).toBeNull();
  expect(describeError('Asha 0712345678')).toBeNull();
  expect(describeError({ name: 'Error', stack: thrownIn('/assets/a.js').stack })).toBeNull();
  expect(describeError(Object.assign(thrownIn('/assets/a.js'), { name: 'Asha 0712345678' }))).toBeNull();
  expect(describeError(Object.assign(thrownIn('/assets/a.js'), { stack: undefined }))).toBeNull();
});

test('of a stack that is deep its ten innermost frames are told, as many as the server takes', () => {
  const error = new Error('x');
  error.stack = Array.from({ length: 30 }, (_, at) => `    at f (https://patikana.test/assets/a.js:1:${at})`).join(
    '\n',
  );
  const report = describeError(error);
  expect(report?.frames).toEqual(Array.from({ length: 10 }, (_, at) => `/assets/a.js:1:${at}`));
  expect(clientErrorSchema.safeParse(report).success).toBe(true);
});

function caught(error: Error): ErrorEvent {
  return new ErrorEvent('error', { error });
}

/** A visit that tells, or one of those that do not, whose reports are kept. */
async function visit(chance: number) {
  const told: unknown[] = [];
  server.use(
    http.post('*/api/client-errors', async ({ request }) => {
      told.push(await request.json());
      return new HttpResponse(null, { status: 503 });
    }),
  );
  vi.spyOn(Math, 'random').mockReturnValue(chance);
  const { reportError } = await import('#web/app/report-error.ts');
  return { told, reportError };
}

test('the same error is told once, and of a visit three, whatever the server says to it', async () => {
  const { told, reportError } = await visit(0.1);
  const sent = vi.spyOn(globalThis, 'fetch');
  for (const file of ['a', 'a', 'b', 'c', 'd', 'e']) reportError(caught(thrownIn(`/assets/${file}.js`)));
  expect(sent).toHaveBeenCalledTimes(3);
  await vi.waitFor(() => expect(told).toHaveLength(3));
  expect(JSON.stringify(told)).not.toContain('0712345678');
});

test('a report is sent as JSON, also from a page that is being left, and a network that fails is no further error', async () => {
  const { reportError } = await visit(0.24);
  const sent = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
  reportError(caught(thrownIn('/assets/a.js')));
  expect(sent).toHaveBeenCalledExactlyOnceWith('/api/client-errors', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'TypeError', frames: ['/assets/a.js:1:2345'] }),
    keepalive: true,
  });
});

test('of what is not of our code nothing is sent', async () => {
  const { reportError } = await visit(0.1);
  const sent = vi.spyOn(globalThis, 'fetch');
  reportError(caught(thrownIn('/injected.js')));
  expect(sent).not.toHaveBeenCalled();
});

test('three visits in four tell of nothing', async () => {
  const { told, reportError } = await visit(0.25);
  const sent = vi.spyOn(globalThis, 'fetch');
  reportError(caught(thrownIn('/assets/a.js')));
  expect(sent).not.toHaveBeenCalled();
  expect(told).toEqual([]);
});

test('a rejection that nobody handled is told as well', async () => {
  const { told, reportError } = await visit(0.1);
  reportError(Object.assign(new Event('unhandledrejection'), { reason: thrownIn('/assets/a.js') }));
  await vi.waitFor(() => expect(told).toMatchObject([{ frames: ['/assets/a.js:1:2345'] }]));
});
