import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { preloadScreen } from './app/lazy-screen.tsx';
import { routes } from './app/router.tsx';
import { TakeOver } from './app/take-over.tsx';
import './app/styles.css';
import { startI18n } from './lib/i18n.ts';

// Loaded with the first error, which most visits never see; where that fails it is no error to tell of.
const report = (event: Event) => import('./app/report-error.ts').then((it) => it.reportError(event)).catch(() => {});
addEventListener('error', report);
addEventListener('unhandledrejection', report);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// The prerendered page stands until the reader's language and the first screen are here: the app then takes its place
// in one step, and nothing flashes or moves.
await startI18n();
await preloadScreen(routes, window.location.pathname);
const app = createRoot(root);
// A transition is rendered in slices, so that a tap or a scroll meanwhile is answered.
startTransition(() =>
  app.render(
    <StrictMode>
      <App />
      <TakeOver />
    </StrictMode>,
  ),
);
