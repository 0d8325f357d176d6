import type { FlatNamespace } from 'i18next';
import { type ComponentType, use } from 'react';
import { useTranslation } from 'react-i18next';
import { matchRoutes, Outlet, type RouteObject } from 'react-router';
import { late } from '#web/lib/late.ts';
import { useTitle } from '#web/lib/title.ts';
import { Layout } from './layout.tsx';
import { screens } from './screens.ts';

const QueryProvider = lateScreen(async () => (await import('./query-provider.tsx')).QueryProvider);

/** The routes of the web app. TanStack Query loads the data: the router's data mode would add 16 kB. */
export const routes: RouteObject[] = [
  {
    Component: Layout,
    children: [...routesOf('nothing'), { Component: QueryProvider, children: routesOf('server data') }],
  },
];

function routesOf(needs: (typeof screens)[number]['needs']): RouteObject[] {
  return screens
    .filter((screen) => screen.needs === needs)
    .map(({ path, load, title, texts }) => ({
      element: <Titled title={title} />,
      children: [{ path, Component: lateScreen(load, ...texts) }],
    }));
}

function Titled({ title }: { title: (typeof screens)[number]['title'] }) {
  const { i18n } = useTranslation();
  useTitle(i18n.t(title));
  return <Outlet />;
}

type LateScreen = ComponentType & { preload: () => Promise<unknown> };

/**
 * A screen whose code loads when the user first opens it. The previous screen stays until the code is loaded. From then
 * on, the screen renders at once; React's own `lazy` would show nothing for a moment.
 */
export function lateScreen(load: () => Promise<ComponentType>, ...texts: FlatNamespace[]): LateScreen {
  const screen = late(load, ...texts);
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each screen, with the routes
  function Screen() {
    const Loaded = screen.get() ?? use(screen.load());
    return <Loaded />;
  }
  return Object.assign(Screen, { preload: screen.load });
}

/**
 * Loads the code of the screen at an address. Ignores a failure to load it: the screen shows the failure when it is
 * rendered.
 */
export async function preloadScreen(among: RouteObject[], pathname: string): Promise<void> {
  const matched = matchRoutes(among, pathname)?.map(({ route }) => route) ?? [];
  await Promise.allSettled(matched.map(preloadRoute));
}

/** Loads the code of every screen. */
export async function preloadAllScreens(among: RouteObject[]): Promise<void> {
  await Promise.all(
    among.map(async (route) => {
      await preloadRoute(route);
      await preloadAllScreens(route.children ?? []);
    }),
  );
}

async function preloadRoute({ Component }: RouteObject): Promise<void> {
  if (Component && 'preload' in Component) await (Component as LateScreen).preload();
}
