import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation } from 'react-router';
import { withTexts } from '#web/lib/i18n.ts';
import { paths } from '#web/lib/paths.ts';
import { useChangesElsewhere } from '#web/lib/session.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { NavBar } from './nav-bar.tsx';
import { SignedInPart } from './signed-in-part.tsx';
import { useScrollMemory } from './use-scroll-memory.ts';

const loadSuspendedBar = withTexts(
  async () => (await import('#web/accounts/suspended-bar.tsx')).SuspendedBar,
  'accounts',
);

/** The frame of every screen. On a change of route the focus goes to the content, as it would with a page load. */
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
      <SignedInPart load={loadSuspendedBar} />
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
