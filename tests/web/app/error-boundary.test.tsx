import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clientErrorSchema } from '#contract/admin.ts';
import { startUser } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { ErrorBoundary } from '#web/app/error-boundary.tsx';
import { describeError } from '#web/app/report-error.ts';
import { changeLanguage } from '#web/lib/i18n.ts';

function Broken({ error }: { error: unknown }): never {
  throw error;
}

describe('the error screen', () => {
  const reload = vi.fn();
  const reportError = vi.fn();

  beforeEach(async () => {
    vi.stubGlobal('location', { ...window.location, reload });
    vi.stubGlobal('reportError', reportError);
    await changeLanguage('en');
  });

  afterEach(async () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    reload.mockClear();
    reportError.mockClear();
    await changeLanguage('en');
  });

  const BROKEN = 'This page could not be shown';
  const MISSING = new TypeError('Failed to fetch dynamically imported module: http://localhost:3000/assets/a.js');

  /** Renders a screen that throws. React logs the errors that it catches. */
  function open(error: unknown) {
    const view = render(
      <ErrorBoundary resetKey="/here">
        <Broken error={error} />
      </ErrorBoundary>,
    );
    expect(console.error).toHaveBeenCalled();
    vi.mocked(console.error).mockClear();
    /** Navigates to a working screen. */
    const leave = (resetKey: string) =>
      view.rerender(
        <ErrorBoundary resetKey={resetKey}>
          <p>Another screen</p>
        </ErrorBoundary>,
      );
    return { leave, user: startUser() };
  }

  /** Sets the server's response for the file that could not be loaded. @returns the URLs of requests for this file. */
  function serveFile(answer: () => Response): string[] {
    const asked: string[] = [];
    server.use(
      http.head('*/assets/a.js', ({ request }) => {
        asked.push(request.url);
        return answer() as never;
      }),
    );
    return asked;
  }

  test.each([
    ['en', BROKEN, /Nothing you have posted is lost\.$/, 'Reload'],
    ['sw', 'Ukurasa huu haukuweza kuonyeshwa', /Matangazo yako yote yako salama\.$/, 'Pakia upya'],
  ] as const)(
    'a screen that throws shows an error in the language %s, reports the error, and can be reloaded',
    async (language, title, text, name) => {
      await changeLanguage(language);
      const error = new Error('Something is undefined');
      const { user } = open(error);
      expect(await screen.findByRole('heading', { level: 1, name: title })).toBeInTheDocument();
      expect(screen.getByText(text)).toBeInTheDocument();
      expect(reportError).toHaveBeenCalledExactlyOnceWith(error);
      expect(reload).not.toHaveBeenCalled();
      await user.click(screen.getByRole('button', { name }));
      expect(reload).toHaveBeenCalledOnce();
    },
  );

  test('the error screen stays until the user navigates away', async () => {
    const { leave } = open(new Error('Something is undefined'));
    expect(await screen.findByText(BROKEN)).toBeInTheDocument();
    leave('/here');
    expect(screen.getByText(BROKEN)).toBeInTheDocument();
    leave('/there');
    expect(screen.getByText('Another screen')).toBeInTheDocument();
    expect(screen.queryByText(BROKEN)).toBeNull();
  });

  test('a screen that throws undefined shows the error screen too', async () => {
    open(null);
    expect(await screen.findByText(BROKEN)).toBeInTheDocument();
    expect(reportError).toHaveBeenCalledOnce();
  });

  test('if a deployment has replaced a screen’s code file, the page reloads once without a visible error', async () => {
    const asked = serveFile(() => new HttpResponse(null, { status: 404 }));
    open(MISSING);
    expect(screen.getByText('Loading…')).toBeInTheDocument();
    await waitFor(() => expect(reload).toHaveBeenCalledOnce());
    expect(screen.queryByText(BROKEN)).toBeNull();
    expect(asked).toHaveLength(1);
    expect(reportError).not.toHaveBeenCalled();
  });

  test('a screen whose code file is still missing after the reload causes no second reload', async () => {
    sessionStorage.setItem('reloadedForChunk', String(Date.now()));
    serveFile(() => new HttpResponse(null, { status: 404 }));
    open(MISSING);
    expect(await screen.findByText(BROKEN)).toBeInTheDocument();
    expect(screen.queryByText('Loading…')).toBeNull();
    expect(reload).not.toHaveBeenCalled();
  });

  test('if a screen’s code file failed to load offline, the page reloads when the network returns', async () => {
    serveFile(() => HttpResponse.error() as never);
    open(MISSING);
    expect(await screen.findByText(BROKEN)).toBeInTheDocument();
    expect(reload).not.toHaveBeenCalled();
    expect(reportError).not.toHaveBeenCalled();
    act(() => void fireEvent(window, new Event('online')));
    expect(reload).toHaveBeenCalledOnce();
  });

  test('five seconds after a code file failed to load, the app requests the file again and reloads the page once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let isServed = false;
    const asked = serveFile(() => (isServed ? new HttpResponse(null) : (HttpResponse.error() as never)));
    open(MISSING);
    await vi.waitFor(() => expect(screen.getByText(BROKEN)).toBeInTheDocument());
    expect(asked).toHaveLength(1);
    isServed = true;
    await vi.advanceTimersByTimeAsync(5_000);
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(2);
    expect(reload).toHaveBeenCalledOnce();
  });

  test('a screen that threw an error is not reloaded when the network returns', async () => {
    open(new Error('Something is undefined'));
    expect(await screen.findByText(BROKEN)).toBeInTheDocument();
    act(() => void fireEvent(window, new Event('online')));
    expect(reload).not.toHaveBeenCalled();
  });
});

describe('error reports', () => {
  // The module decides while it loads whether the visit reports errors, so each test loads it again.
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

  test('an error report contains only the error’s class name and positions in the app’s own files, and matches the server’s schema', () => {
    const report = describeError(thrownIn('/assets/app-B_x.js'));
    expect(report).toEqual({
      name: 'TypeError',
      frames: ['/assets/app-B_x.js:1:2345'],
    });
    expect(clientErrorSchema.safeParse(report).success).toBe(true);
  });

  test('stack traces in the format of Safari and Firefox are parsed', () => {
    const error = new Error('x');
    error.stack = 'open@https://patikana.test/assets/app.js:9:8\nglobal code@https://patikana.test/assets/main.js:1:1';
    expect(describeError(error)).toMatchObject({
      frames: ['/assets/app.js:9:8', '/assets/main.js:1:1'],
    });
  });

  test('describeError returns null for an error without a valid class name or without a position in the app’s code', () => {
    expect(describeError(thrownIn('/injected.js'))).toBeNull();
    expect(describeError('Asha 0712345678')).toBeNull();
    expect(describeError({ name: 'Error', stack: thrownIn('/assets/a.js').stack })).toBeNull();
    expect(describeError(Object.assign(thrownIn('/assets/a.js'), { name: 'Asha 0712345678' }))).toBeNull();
    expect(describeError(Object.assign(thrownIn('/assets/a.js'), { stack: undefined }))).toBeNull();
  });

  test('only the ten innermost frames of a deep stack trace are reported', () => {
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

  /** Starts a visit and records its reports. The visit reports errors only if `chance` is less than 0.25. */
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

  test('one visit reports each error once, and at most three errors', async () => {
    const { told, reportError } = await visit(0.1);
    const sent = vi.spyOn(globalThis, 'fetch');
    for (const file of ['a', 'a', 'b', 'c', 'd', 'e']) reportError(caught(thrownIn(`/assets/${file}.js`)));
    expect(sent).toHaveBeenCalledTimes(3);
    await vi.waitFor(() => expect(told).toHaveLength(3));
    expect(JSON.stringify(told)).not.toContain('0712345678');
  });

  test('an error report is sent as JSON, also while the page closes, and a report that cannot be sent is ignored', async () => {
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

  test('an error from code outside the app is not reported', async () => {
    const { reportError } = await visit(0.1);
    const sent = vi.spyOn(globalThis, 'fetch');
    reportError(caught(thrownIn('/injected.js')));
    expect(sent).not.toHaveBeenCalled();
  });

  test('only one visit in four reports its errors', async () => {
    const { told, reportError } = await visit(0.25);
    const sent = vi.spyOn(globalThis, 'fetch');
    reportError(caught(thrownIn('/assets/a.js')));
    expect(sent).not.toHaveBeenCalled();
    expect(told).toEqual([]);
  });

  test('an unhandled promise rejection is reported too', async () => {
    const { told, reportError } = await visit(0.1);
    reportError(Object.assign(new Event('unhandledrejection'), { reason: thrownIn('/assets/a.js') }));
    await vi.waitFor(() => expect(told).toMatchObject([{ frames: ['/assets/a.js:1:2345'] }]));
  });
});
