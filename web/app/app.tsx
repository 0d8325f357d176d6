import { useEffect, useRef } from 'react';
import { BrowserRouter, useLocation, useNavigate, useRoutes } from 'react-router';
import { withTexts } from '#web/lib/i18n.ts';
import { paths } from '#web/lib/paths.ts';
import { onSessionChange } from '#web/lib/session.ts';
import { Background } from './background.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { routes } from './router.tsx';
import { SignedInPart } from './signed-in-part.tsx';

const loadLiveNotices = withTexts(
  async () => (await import('#web/notices/live-notices.tsx')).LiveNotices,
  'notices',
  'posts',
);
const loadErrands = async () => (await import('./errands.tsx')).Errands;
const loadNumberBar = withTexts(async () => (await import('#web/accounts/number-bar.tsx')).NumberBar, 'numbers');

export function App() {
  return (
    <ErrorBoundary>
      <BrowserRouter>
        <SessionGuard />
        <Screens />
        <SignedInPart load={loadLiveNotices} />
        <SignedInPart load={loadNumberBar} />
        <SignedInPart load={loadErrands} />
      </BrowserRouter>
      <Background />
    </ErrorBoundary>
  );
}

function Screens() {
  return useRoutes(routes);
}

/** Whoever is signed out, by themselves or by the server, is led to the sign-in, and afterwards back. */
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
