import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clientErrorSchema } from '#contract/admin.ts';
import { server } from '#tests/web/support/setup.ts';
import { describeError } from '#web/app/report-error.ts';

// The module decides when it loads whether the visit reports errors, and this file loads it too.
beforeEach(() => {
  vi.resetModules();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** An error with a stack in Chromium's format, which begins with the message. */
function thrownIn(file: string, message = 'Mpigie Asha 0712345678'): Error {
  const error = new TypeError(message);
  error.stack = `TypeError: ${message}\n    at open (https://patikana.test${file}:1:2345)\n    at https://elsewhere.example/x.js:1:2`;
  return error;
}

test('a reported error contains only its name and position, in the server’s format', () => {
  const report = describeError(thrownIn('/assets/app-B_x.js'));
  expect(report).toEqual({
    name: 'TypeError',
    frames: ['/assets/app-B_x.js:1:2345'],
  });
  expect(clientErrorSchema.safeParse(report).success).toBe(true);
});

test('stack frames of Safari and Firefox are understood', () => {
  const error = new Error('x');
  error.stack = 'open@https://patikana.test/assets/app.js:9:8\nglobal code@https://patikana.test/assets/main.js:1:1';
  expect(describeError(error)).toMatchObject({
    frames: ['/assets/app.js:9:8', '/assets/main.js:1:1'],
  });
});

test('an error outside our code is not described', () => {
  expect(describeError(thrownIn('/injected.js'))).toBeNull();
  expect(describeError('Asha 0712345678')).toBeNull();
  expect(describeError({ name: 'Error', stack: thrownIn('/assets/a.js').stack })).toBeNull();
  expect(describeError(Object.assign(thrownIn('/assets/a.js'), { name: 'Asha 0712345678' }))).toBeNull();
  expect(describeError(Object.assign(thrownIn('/assets/a.js'), { stack: undefined }))).toBeNull();
});

test('of a deep stack the ten innermost frames are reported', () => {
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

/** Loads the module as a visit that reports errors, or as one that does not, and records the reports. */
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

test('the same error is reported once, and at most three per visit, whatever the response', async () => {
  const { told, reportError } = await visit(0.1);
  const sent = vi.spyOn(globalThis, 'fetch');
  for (const file of ['a', 'a', 'b', 'c', 'd', 'e']) reportError(caught(thrownIn(`/assets/${file}.js`)));
  expect(sent).toHaveBeenCalledTimes(3);
  await vi.waitFor(() => expect(told).toHaveLength(3));
  expect(JSON.stringify(told)).not.toContain('0712345678');
});

test('a report is sent as JSON, also from a closing page, and its own failure is ignored', async () => {
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

test('an error outside our code is not reported', async () => {
  const { reportError } = await visit(0.1);
  const sent = vi.spyOn(globalThis, 'fetch');
  reportError(caught(thrownIn('/injected.js')));
  expect(sent).not.toHaveBeenCalled();
});

test('three of four visits report nothing', async () => {
  const { told, reportError } = await visit(0.25);
  const sent = vi.spyOn(globalThis, 'fetch');
  reportError(caught(thrownIn('/assets/a.js')));
  expect(sent).not.toHaveBeenCalled();
  expect(told).toEqual([]);
});

test('an unhandled rejection is reported too', async () => {
  const { told, reportError } = await visit(0.1);
  reportError(Object.assign(new Event('unhandledrejection'), { reason: thrownIn('/assets/a.js') }));
  await vi.waitFor(() => expect(told).toMatchObject([{ frames: ['/assets/a.js:1:2345'] }]));
});
