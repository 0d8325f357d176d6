import { startApp } from './start-app.ts';

/** Before all browser tests; PATIKANA_ORIGIN (and PATIKANA_STATE) of an app that runs already saves the start while writing tests. */
export default async function startAppOnce(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.PATIKANA_ORIGIN) return undefined;
  const app = await startApp(['--var', 'RATE_LIMITS:off']);
  process.env.PATIKANA_ORIGIN = app.origin;
  process.env.PATIKANA_STATE = app.stateFolder;
  return app.stop;
}
