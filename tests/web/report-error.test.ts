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
  for (const file of ['a', 'a', 'b', 'c', 'd', 'e']) reportError(caught(thrownIn(`/assets/${file}.js`)));
  await vi.waitFor(() => expect(told).toHaveLength(3));
  expect(JSON.stringify(told)).not.toContain('0712345678');
});

test('three visits in four tell of nothing', async () => {
  const { told, reportError } = await visit(0.3);
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
