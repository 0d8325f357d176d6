import { fillPool } from './e2e-fixtures.ts';
import { startApp } from './start-app.ts';

/**
 * Starts the app before all browser tests. If PATIKANA_ORIGIN and PATIKANA_STATE name a running app, uses that app,
 * which saves time while writing tests.
 */
export default async function startAppOnce(): Promise<(() => Promise<void>) | undefined> {
  const stop = process.env.PATIKANA_ORIGIN ? undefined : await start();
  if (process.env.PATIKANA_STATE) await fillPool(process.env.PATIKANA_STATE);
  return stop;
}

async function start(): Promise<() => Promise<void>> {
  const app = await startApp(['--var', 'RATE_LIMITS:off']);
  process.env.PATIKANA_ORIGIN = app.origin;
  process.env.PATIKANA_STATE = app.stateFolder;
  return app.stop;
}
