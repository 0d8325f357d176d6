import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import './app/styles.css';
import { startI18n } from './lib/i18n.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// The first paint waits for the reader's language, so that no text flashes in the wrong one.
await startI18n();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
