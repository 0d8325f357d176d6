import { act, render, screen } from '@testing-library/react';
import { createMemoryRouter, Outlet, useLocation } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ErrorBoundary } from '#web/app/error-boundary.tsx';
import { lazyScreen, preloadScreen } from '#web/app/lazy-screen.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';
import { loseNetwork } from './support/phone.ts';
import './support/setup.ts';

beforeEach(async () => {
  loseNetwork();
  await changeLanguage('en');
});
afterEach(() => {
  // React tells the console of what it catches, and of a screen that came while it was rendered.
  vi.mocked(console.error).mockClear();
});

const MISSING = new TypeError('Failed to fetch dynamically imported module: /assets/a.js');

/** The code of a screen, as the network has it: it comes once the network does. */
function serveScreen(text: string) {
  const code = { isThere: true, asked: 0 };
  const load = async () => {
    code.asked++;
    if (!code.isThere) throw MISSING;
    return () => <p>{text}</p>;
  };
  return { code, Screen: lazyScreen(load) };
}

function Frame() {
  return (
    <ErrorBoundary resetKey={useLocation().pathname}>
      <Outlet />
    </ErrorBoundary>
  );
}

/** Two screens in a frame: the first one is opened. */
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

test('a screen’s code comes when it is first opened, and once', async () => {
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

test('a screen whose code could not come is asked for again when it is next opened, and not before', async () => {
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

test('what is loaded ahead is the screen at the address alone, which is there at once then', async () => {
  const { one, two, routes, show } = await open();
  await preloadScreen(routes, '/one');
  expect([one.asked, two.asked]).toEqual([1, 0]);
  await show();
  expect(screen.getByText('The first screen')).toBeInTheDocument();
  expect(one.asked).toBe(1);
});

test('a screen that cannot be loaded ahead, or is not there, keeps nothing from beginning', async () => {
  const { one, routes, show } = await open();
  one.isThere = false;
  await expect(preloadScreen(routes, '/one')).resolves.toBeUndefined();
  await expect(preloadScreen(routes, '/nowhere')).resolves.toBeUndefined();
  await show();
  expect(await screen.findByText('This page could not be shown')).toBeInTheDocument();
  expect(one.asked).toBe(1);
});
