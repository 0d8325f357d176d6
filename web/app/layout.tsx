import { useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation, useNavigationType } from 'react-router';
import { useChangesElsewhere } from '#web/api/session.ts';
import { late } from '#web/lib/late.ts';
import { paths } from '#web/lib/paths.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { NavBar } from './nav-bar.tsx';
import { SignedInPart } from './signed-in-part.tsx';

const lateSuspendedBar = late(async () => (await import('#web/accounts/suspended-bar.tsx')).SuspendedBar, 'accounts');

/** The frame of every screen. On a route change the content gets the focus, as after a page load. */
export function Layout() {
  const { t } = useTranslation('common');
  const { pathname } = useLocation();
  const changesElsewhere = useChangesElsewhere();
  useScrollMemory();
  const main = useRef<HTMLElement>(null);
  const lastPath = useRef(pathname);

  useEffect(() => {
    if (lastPath.current === pathname) return;
    lastPath.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);

  return (
    <>
      <a className="skip-link" href="#content">
        {t('skipToContent')}
      </a>
      <NavBar />
      <SignedInPart part={lateSuspendedBar} />
      <main
        id="content"
        ref={main}
        tabIndex={-1}
        className={`flex-1 outline-none ${pathname === paths.home ? '' : 'page-width py-6'}`}
      >
        <ErrorBoundary key={changesElsewhere} resetKey={pathname}>
          <Outlet />
        </ErrorBoundary>
      </main>
    </>
  );
}

/** Going back restores the scroll position; a new screen starts at its top. The browser handles reloads. */
function useScrollMemory(): void {
  const { key, pathname, hash } = useLocation();
  const direction = useNavigationType();
  const positions = useRef(new Map<string, number>());
  const last = useRef({ key, pathname });

  // A layout effect removes the old screen's listener before the scroll event that follows a navigation. Otherwise this
  // listener would store the jump to the new screen's top as the old screen's position.
  useLayoutEffect(() => {
    const remember = () => positions.current.set(key, window.scrollY);
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key]);

  useLayoutEffect(() => {
    const before = last.current;
    last.current = { key, pathname };
    if (before.key === key) return;
    if (direction === 'POP') window.scrollTo(0, positions.current.get(key) ?? 0);
    else if (before.pathname !== pathname && hash === '') window.scrollTo(0, 0);
    // The path is unchanged or the address has a hash, so this effect does not scroll. Stores the new history entry's
    // position here, because perhaps no scroll event follows.
    else positions.current.set(key, window.scrollY);
  }, [key, pathname, hash, direction]);
}
