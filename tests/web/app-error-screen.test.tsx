import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ErrorBoundary } from '#web/app/error-boundary.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';
import { server } from './support/setup.ts';
import { startUser } from './support/user.ts';

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

/** A screen that breaks; React tells the console of what it catches. */
function open(error: unknown) {
  const view = render(
    <ErrorBoundary resetKey="/here">
      <Broken error={error} />
    </ErrorBoundary>,
  );
  expect(console.error).toHaveBeenCalled();
  vi.mocked(console.error).mockClear();
  /** The reader goes elsewhere, where nothing is broken. */
  const leave = (resetKey: string) =>
    view.rerender(
      <ErrorBoundary resetKey={resetKey}>
        <p>Another screen</p>
      </ErrorBoundary>,
    );
  return { leave, user: startUser() };
}

/** How the server answers for the file that could not be loaded. */
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
  'a screen that breaks says so in %s, is told of, and can be loaded again',
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

test('it stands until the reader goes elsewhere', async () => {
  const { leave } = open(new Error('Something is undefined'));
  expect(await screen.findByText(BROKEN)).toBeInTheDocument();
  leave('/here');
  expect(screen.getByText(BROKEN)).toBeInTheDocument();
  leave('/there');
  expect(screen.getByText('Another screen')).toBeInTheDocument();
  expect(screen.queryByText(BROKEN)).toBeNull();
});

test('what throws nothing is shown as broken as well', async () => {
  open(null);
  expect(await screen.findByText(BROKEN)).toBeInTheDocument();
  expect(reportError).toHaveBeenCalledOnce();
});

test('a file that a deploy has replaced comes with one reload, before which nothing looks broken', async () => {
  const asked = serveFile(() => new HttpResponse(null, { status: 404 }));
  open(MISSING);
  expect(screen.getByText('Loading…')).toBeInTheDocument();
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
  expect(screen.queryByText(BROKEN)).toBeNull();
  expect(asked).toHaveLength(1);
  expect(reportError).not.toHaveBeenCalled();
});

test('a file that is missing after the reload as well is no reason for another', async () => {
  sessionStorage.setItem('reloadedForChunk', String(Date.now()));
  serveFile(() => new HttpResponse(null, { status: 404 }));
  open(MISSING);
  expect(await screen.findByText(BROKEN)).toBeInTheDocument();
  expect(screen.queryByText('Loading…')).toBeNull();
  expect(reload).not.toHaveBeenCalled();
});

test('a file that the network did not bring is waited for: the page is loaded when the network is back', async () => {
  serveFile(() => HttpResponse.error() as never);
  open(MISSING);
  expect(await screen.findByText(BROKEN)).toBeInTheDocument();
  expect(reload).not.toHaveBeenCalled();
  expect(reportError).not.toHaveBeenCalled();
  act(() => void fireEvent(window, new Event('online')));
  expect(reload).toHaveBeenCalledOnce();
});

test('a screen that is broken itself is not loaded again because the network is back', async () => {
  open(new Error('Something is undefined'));
  expect(await screen.findByText(BROKEN)).toBeInTheDocument();
  act(() => void fireEvent(window, new Event('online')));
  expect(reload).not.toHaveBeenCalled();
});
