import '#tests/web/support/setup.ts';
import { act, render, screen } from '@testing-library/react';
import { createMemoryRouter, Outlet, useLocation } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loseNetwork } from '#tests/web/support/phone.ts';
import { ErrorBoundary } from '#web/app/error-boundary.tsx';
import { lateScreen, preloadScreen } from '#web/app/router.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';

beforeEach(async () => {
  loseNetwork();
  await changeLanguage('en');
});
afterEach(() => {
  // React logs errors that it catches, and screens that load during a render.
  vi.mocked(console.error).mockClear();
});

const MISSING = new TypeError('Failed to fetch dynamically imported module: /assets/a.js');

/** A screen's code, which loads when the test allows it. */
function serveScreen(text: string) {
  const code = { isThere: true, asked: 0 };
  const load = async () => {
    code.asked++;
    if (!code.isThere) throw MISSING;
    return () => <p>{text}</p>;
  };
  return { code, Screen: lateScreen(load) };
}

function Frame() {
  return (
    <ErrorBoundary resetKey={useLocation().pathname}>
      <Outlet />
    </ErrorBoundary>
  );
}

/** Renders two screens in a frame, with the first one open. */
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

test('a screen’s code loads when it is first opened, and only once', async () => {
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

test('a screen whose code failed to load is retried when it is next opened, and not before', async () => {
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

test('preloading loads only the screen at the address, which then renders at once', async () => {
  const { one, two, routes, show } = await open();
  await preloadScreen(routes, '/one');
  expect([one.asked, two.asked]).toEqual([1, 0]);
  await show();
  expect(screen.getByText('The first screen')).toBeInTheDocument();
  expect(one.asked).toBe(1);
});

test('a failed or impossible preload does not stop the app’s start', async () => {
  const { one, routes, show } = await open();
  one.isThere = false;
  await expect(preloadScreen(routes, '/one')).resolves.toBeUndefined();
  await expect(preloadScreen(routes, '/nowhere')).resolves.toBeUndefined();
  await show();
  expect(await screen.findByText('This page could not be shown')).toBeInTheDocument();
  expect(one.asked).toBe(1);
});
