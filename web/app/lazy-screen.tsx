import { type ComponentType, use } from 'react';
import { matchRoutes, type RouteObject } from 'react-router';

const failed = new Set<() => void>();

type LazyScreen = ComponentType & { preload: () => Promise<void> };

/**
 * A screen whose code comes when it is first wanted; one that is already here is rendered at once, where React's own
 * `lazy` would still wait a turn. Until it is here the screen before it stays.
 */
export function lazyScreen(load: () => Promise<ComponentType>): LazyScreen {
  let Screen: ComponentType | null = null;
  let loading: Promise<void> | null = null;

  function preload(): Promise<void> {
    loading ??= load().then(
      (loaded) => {
        Screen = loaded;
      },
      (error: unknown) => {
        failed.add(() => {
          loading = null;
        });
        throw error;
      },
    );
    return loading;
  }

  // biome-ignore lint/correctness/noComponentHookFactories: made once for each screen, when the routes are
  function Lazy() {
    if (!Screen) use(preload());
    return Screen && <Screen />;
  }
  return Object.assign(Lazy, { preload });
}

/** Lets what could not be loaded be asked for again. Not sooner: a render that fails is tried again at once, for ever. */
export function forgetFailedScreens(): void {
  for (const forget of failed) forget();
  failed.clear();
}

/** Loads the code of the screen at an address; what cannot be loaded is left to the screen itself to report. */
export async function preloadScreen(routes: RouteObject[], pathname: string): Promise<void> {
  const matched = matchRoutes(routes, pathname)?.map(({ route }) => route) ?? [];
  await Promise.allSettled(matched.map(preloadRoute));
}

/** Loads every screen, so that none has to be waited for. */
export async function preloadAllScreens(routes: RouteObject[]): Promise<void> {
  await Promise.all(
    routes.map(async (route) => {
      await preloadRoute(route);
      await preloadAllScreens(route.children ?? []);
    }),
  );
}

async function preloadRoute({ Component }: RouteObject): Promise<void> {
  if (Component && 'preload' in Component) await (Component as LazyScreen).preload();
}
