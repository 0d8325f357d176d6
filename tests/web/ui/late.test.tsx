import { act, cleanup, render, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { ComponentType } from 'react';
import { createMemoryRouter, Outlet, useLocation } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loseNetwork } from '#tests/web/support/phone.ts';
import { startUser } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { ErrorBoundary } from '#web/app/error-boundary.tsx';
import { lateScreen, preloadScreen } from '#web/app/router.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';
import { late } from '#web/lib/late.ts';
import { WantedPart } from '#web/ui/late.tsx';

function Frame() {
  return (
    <ErrorBoundary resetKey={useLocation().pathname}>
      <Outlet />
    </ErrorBoundary>
  );
}

describe('a lazy screen', () => {
  beforeEach(async () => {
    loseNetwork();
    await changeLanguage('en');
  });
  afterEach(() => {
    // React logs the errors that it catches, and each screen that loads during a render. Without this line, setup.ts
    // would fail the test for these logs.
    vi.mocked(console.error).mockClear();
  });

  const MISSING = new TypeError('Failed to fetch dynamically imported module: /assets/a.js');

  /** A lazily loaded screen. While `isThere` is false, loading the screen fails. */
  function serveScreen(text: string) {
    const code = { isThere: true, asked: 0 };
    const load = async () => {
      code.asked++;
      if (!code.isThere) throw MISSING;
      return () => <p>{text}</p>;
    };
    return { code, Screen: lateScreen(load) };
  }

  /** Renders a frame with three screens, of which the first is open. */
  async function open() {
    const [one, two] = [serveScreen('The first screen'), serveScreen('The second screen')];
    const children = [
      { path: '/one', Component: one.Screen },
      { path: '/two', Component: two.Screen },
      { path: '/three', element: <p>The third screen</p> },
    ];
    const routes = [{ Component: Frame, children }];
    const router = createMemoryRouter(routes, { initialEntries: ['/one'] });
    const go = (address: string) => act(() => router.navigate(address));
    const show = () => act(async () => void render(<RouterProvider router={router} />));
    return { one: one.code, two: two.code, routes, go, show };
  }

  test('loads its code when the user first opens it, and only once', async () => {
    const { one, two, go, show } = await open();
    await show();
    expect(await screen.findByText('The first screen')).toBeInTheDocument();
    expect([one.asked, two.asked]).toEqual([1, 0]);
    await go('/two');
    expect(await screen.findByText('The second screen')).toBeInTheDocument();
    await go('/one');
    expect(screen.getByText('The first screen')).toBeInTheDocument();
    expect([one.asked, two.asked]).toEqual([1, 1]);
  });

  test('tries to load its code again when the user next opens it, if the first try failed', async () => {
    const { two, go, show } = await open();
    await show();
    two.isThere = false;
    await go('/two');
    expect(await screen.findByText('This page could not be shown')).toBeInTheDocument();
    const { asked } = two;
    two.isThere = true;
    await act(() => changeLanguage('sw'));
    expect(screen.getByText('Ukurasa huu haukuweza kuonyeshwa')).toBeInTheDocument();
    expect(two.asked).toBe(asked);
    await go('/three');
    expect(screen.getByText('The third screen')).toBeInTheDocument();
    await go('/two');
    expect(await screen.findByText('The second screen')).toBeInTheDocument();
    expect(two.asked).toBe(asked + 1);
  });

  test('renders at once if its code was preloaded for the URL, and preloading loads no other screen', async () => {
    const { one, two, routes, show } = await open();
    await preloadScreen(routes, '/one');
    expect([one.asked, two.asked]).toEqual([1, 0]);
    await show();
    expect(screen.getByText('The first screen')).toBeInTheDocument();
    expect(one.asked).toBe(1);
  });

  test('does not stop the app’s start if its code cannot be preloaded', async () => {
    const { one, routes, show } = await open();
    one.isThere = false;
    await expect(preloadScreen(routes, '/one')).resolves.toBeUndefined();
    await expect(preloadScreen(routes, '/nowhere')).resolves.toBeUndefined();
    await show();
    expect(await screen.findByText('This page could not be shown')).toBeInTheDocument();
    expect(one.asked).toBe(1);
  });
});

type Part = ComponentType<{ name: string }>;

const Dialog: Part = ({ name }) => <p>The dialog of {name}</p>;

describe('a lazily loaded part of a screen', () => {
  let answers: PromiseWithResolvers<Part>[] = [];

  /** Loads a component when the test allows it. */
  function load(): Promise<Part> {
    const answer = Promise.withResolvers<Part>();
    answers.push(answer);
    return answer.promise;
  }

  const goDown = (at: number) =>
    act(async () => answers[at]?.reject(new TypeError('Failed to fetch dynamically imported module: /assets/a.js')));

  function open() {
    const part = late(load);
    render(
      <ErrorBoundary>
        <p>The screen</p>
        <WantedPart part={part} waiting={<p>A moment</p>}>
          {(Loaded) => <Loaded name="Asha" />}
        </WantedPart>
      </ErrorBoundary>,
    );
    return startUser();
  }

  beforeEach(async () => {
    answers = [];
    await changeLanguage('en');
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  test('shows an error in its place if its code fails to load, and appears after a retry', async () => {
    const user = open();
    expect(screen.getByText('A moment')).toBeInTheDocument();
    await goDown(0);
    expect(screen.getByRole('alert')).toHaveTextContent('This part could not be loaded. Check your network.');
    expect(screen.getByText('The screen')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await goDown(1);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await act(async () => answers[2]?.resolve(Dialog));
    expect(screen.getByText('The dialog of Asha')).toBeInTheDocument();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('shows its loading error in the user’s language, and is loaded again when the network returns', async () => {
    await changeLanguage('sw');
    open();
    await goDown(0);
    expect(screen.getByRole('alert')).toHaveTextContent('Sehemu hii haikuweza kupakiwa. Angalia mtandao wako.');
    expect(screen.getByRole('button', { name: 'Jaribu tena' })).toBeInTheDocument();
    act(() => void window.dispatchEvent(new Event('online')));
    await act(async () => answers[1]?.resolve(Dialog));
    expect(screen.getByText('The dialog of Asha')).toBeInTheDocument();
  });

  test('is loaded again within five seconds if the retry after the network’s return also fails', async () => {
    vi.useFakeTimers();
    open();
    await goDown(0);
    act(() => void window.dispatchEvent(new Event('online')));
    await goDown(1);
    expect(answers).toHaveLength(2);
    await act(() => vi.advanceTimersByTimeAsync(5000));
    await act(async () => answers[2]?.resolve(Dialog));
    expect(screen.getByText('The dialog of Asha')).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(answers).toHaveLength(3);
  });

  test('has a retry button that is disabled during a retry', async () => {
    const user = open();
    await goDown(0);
    const button = screen.getByRole('button', { name: 'Try again' });
    expect(button).not.toHaveAttribute('aria-busy');
    await user.click(button);
    expect(button).toHaveAttribute('aria-busy', 'true');
    await user.click(button);
    expect(answers).toHaveLength(2);
    await goDown(1);
    expect(button).not.toHaveAttribute('aria-busy');
  });

  /**
   * Serves requests for the file that could not be loaded. @returns the reloads of the page, and a function that waits
   * for the response.
   */
  function serveFile(answer: () => Response | Promise<Response>) {
    const reload = vi.fn();
    vi.stubGlobal('location', { ...window.location, reload });
    server.use(http.head('*/assets/a.js', () => answer() as never));
    const sent = vi.spyOn(globalThis, 'fetch');
    const heard = () => act(() => Promise.allSettled(sent.mock.results.map(({ value }) => value)));
    return { reload, heard };
  }

  test.each([
    ['is missing', 1, () => new HttpResponse(null, { status: 404 })],
    ['was replaced by an HTML page', 1, () => HttpResponse.html('<!doctype html>')],
    ['still exists', 0, () => new HttpResponse(null, { headers: { 'Content-Type': 'text/javascript' } })],
    ['cannot be reached', 0, () => HttpResponse.error()],
  ])('if the app finds that the part’s script %s, the page is reloaded %i times', async (_what, reloads, answer) => {
    const { reload, heard } = serveFile(answer as () => Response);
    open();
    await goDown(0);
    expect(screen.getByText('The screen')).toBeInTheDocument();
    await heard();
    expect(reload).toHaveBeenCalledTimes(reloads);
  });

  test('does not reload the page for a missing JavaScript file if the user has already left the screen', async () => {
    const answer = Promise.withResolvers<Response>();
    const { reload, heard } = serveFile(() => answer.promise);
    open();
    await goDown(0);
    cleanup();
    answer.resolve(new HttpResponse(null, { status: 404 }));
    await heard();
    expect(reload).not.toHaveBeenCalled();
  });

  test('is not loaded again automatically while there is no network', async () => {
    vi.useFakeTimers();
    loseNetwork();
    open();
    await goDown(0);
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(answers).toHaveLength(1);
  });
});
