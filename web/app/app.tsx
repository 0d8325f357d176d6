import { useEffect, useRef, useState } from 'react';
import { BrowserRouter, useLocation, useNavigate, useRoutes } from 'react-router';
import { onSessionChange } from '#web/api/session.ts';
import { late, useLate } from '#web/lib/late.ts';
import { paths } from '#web/lib/paths.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { routes } from './router.tsx';
import { SignedInPart } from './signed-in-part.tsx';

const lateLiveNotices = late(
  async () => (await import('#web/notices/live-notices.tsx')).LiveNotices,
  'notices',
  'posts',
);
const lateErrands = late(async () => (await import('./errands.tsx')).Errands);
const lateNumberBar = late(async () => (await import('#web/accounts/number-bar.tsx')).NumberBar, 'numbers');

export function App() {
  return (
    <ErrorBoundary>
      <BrowserRouter>
        <SessionGuard />
        <Screens />
        <SignedInPart part={lateLiveNotices} />
        <SignedInPart part={lateNumberBar} />
        <SignedInPart part={lateErrands} />
      </BrowserRouter>
      <Background />
    </ErrorBoundary>
  );
}

function Screens() {
  return useRoutes(routes);
}

/** Redirects to the sign-in after a sign-out or an expired session, and back after signing in. */
function SessionGuard() {
  const navigate = useNavigate();
  const location = useLocation();
  const here = useRef(location);
  here.current = location;

  useEffect(
    () =>
      onSessionChange((_session, reason) => {
        const { pathname, search, state } = here.current;
        if (reason === 'signed-out') void navigate(paths.login);
        if (reason === 'expired' && pathname !== paths.login) {
          void navigate(paths.login, { state: { from: pathname + search, fromState: state } });
        }
      }),
    [navigate],
  );
  return null;
}

const lateBars = late(async () => (await import('#web/offline/offline-bars.tsx')).OfflineBars);

/** Loads what the first screen does not need, once the page is shown and the phone is idle. */
export function Background() {
  const [isIdle, setIsIdle] = useState(false);
  const { Part: Bars } = useLate(lateBars, { isWanted: isIdle });
  useEffect(() => {
    const wait = () => whenIdle(() => setIsIdle(true));
    if (document.readyState === 'complete') return wait();
    window.addEventListener('load', wait, { once: true });
    return () => window.removeEventListener('load', wait);
  }, []);
  return Bars && <Bars />;
}

function whenIdle(run: () => void): void {
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 5_000 });
  else setTimeout(run, 200);
}
