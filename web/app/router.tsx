import { useTranslation } from 'react-i18next';
import { Outlet, type RouteObject } from 'react-router';
import { withTexts } from '#web/lib/i18n.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { Layout } from './layout.tsx';
import { lazyScreen } from './lazy-screen.tsx';
import { screens } from './screens.ts';

const QueryProvider = lazyScreen(async () => (await import('./query-provider.tsx')).QueryProvider);

/**
 * The map of the web app. Nothing in it belongs to the router's data mode, whose loaders this app has no use for:
 * TanStack Query loads, and the code of that mode would cost every visitor 16 kB.
 */
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
      children: [{ path, Component: lazyScreen(withTexts(load, ...texts)) }],
    }));
}

function Titled({ title }: { title: (typeof screens)[number]['title'] }) {
  const { i18n } = useTranslation();
  useTitle(i18n.t(title));
  return <Outlet />;
}
