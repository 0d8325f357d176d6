import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { preloadScreen, routes } from './app/router.tsx';
import { TakeOver } from './app/take-over.tsx';
import './app/styles.css';
import { startI18n } from './lib/i18n.ts';

// Loads the error reporter only when an error happens: most visits have none. If the load fails, nothing is reported.
const report = (event: Event) => import('./app/report-error.ts').then((it) => it.reportError(event)).catch(() => {});
addEventListener('error', report);
addEventListener('unhandledrejection', report);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// The prerendered page stays until the language and the first screen are loaded. The app then replaces it in one step,
// so that nothing flashes or moves.
await startI18n();
await preloadScreen(routes, window.location.pathname);
const app = createRoot(root);
// A transition renders in slices, so that taps and scrolls stay responsive.
startTransition(() =>
  app.render(
    <StrictMode>
      <App />
      <TakeOver />
    </StrictMode>,
  ),
);
