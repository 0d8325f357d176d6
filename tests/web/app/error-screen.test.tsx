import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startUser } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { ErrorBoundary } from '#web/app/error-boundary.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';

const reload = vi.fn();
const reportError = vi.fn();

beforeEach(async () => {
  vi.stubGlobal('location', { ...window.location, reload });
  vi.stubGlobal('reportError', reportError);
  await changeLanguage('en');
});

afterEach(async () => {
  vi.unstubAllGlobals();
  reload.mockClear();
  reportError.mockClear();
  await changeLanguage('en');
});

const BROKEN = 'This page could not be shown';
const MISSING = new TypeError('Failed to fetch dynamically imported module: http://localhost:3000/assets/a.js');

function Broken({ error }: { error: unknown }): never {
  throw error;
}

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

/** The server's response for the file that could not be loaded. */
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
  'a screen that throws shows an error in %s, reports it, and can be reloaded',
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

test('the error stays until the user navigates away', async () => {
  const { leave } = open(new Error('Something is undefined'));
  expect(await screen.findByText(BROKEN)).toBeInTheDocument();
  leave('/here');
  expect(screen.getByText(BROKEN)).toBeInTheDocument();
  leave('/there');
  expect(screen.getByText('Another screen')).toBeInTheDocument();
  expect(screen.queryByText(BROKEN)).toBeNull();
});

test('a screen that throws undefined shows the error too', async () => {
  open(null);
  expect(await screen.findByText(BROKEN)).toBeInTheDocument();
  expect(reportError).toHaveBeenCalledOnce();
});

test('a file replaced by a deployment causes one reload, without a visible error', async () => {
  const asked = serveFile(() => new HttpResponse(null, { status: 404 }));
  open(MISSING);
  expect(screen.getByText('Loading…')).toBeInTheDocument();
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
  expect(screen.queryByText(BROKEN)).toBeNull();
  expect(asked).toHaveLength(1);
  expect(reportError).not.toHaveBeenCalled();
});

test('a file still missing after the reload causes no second reload', async () => {
  sessionStorage.setItem('reloadedForChunk', String(Date.now()));
  serveFile(() => new HttpResponse(null, { status: 404 }));
  open(MISSING);
  expect(await screen.findByText(BROKEN)).toBeInTheDocument();
  expect(screen.queryByText('Loading…')).toBeNull();
  expect(reload).not.toHaveBeenCalled();
});

test('a file missing without a network reloads the page when the network returns', async () => {
  serveFile(() => HttpResponse.error() as never);
  open(MISSING);
  expect(await screen.findByText(BROKEN)).toBeInTheDocument();
  expect(reload).not.toHaveBeenCalled();
  expect(reportError).not.toHaveBeenCalled();
  act(() => void fireEvent(window, new Event('online')));
  expect(reload).toHaveBeenCalledOnce();
});

test('a screen with its own error is not reloaded when the network returns', async () => {
  open(new Error('Something is undefined'));
  expect(await screen.findByText(BROKEN)).toBeInTheDocument();
  act(() => void fireEvent(window, new Event('online')));
  expect(reload).not.toHaveBeenCalled();
});
