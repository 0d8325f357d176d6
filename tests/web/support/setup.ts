import './prepare-browser.ts';
import { onlineManager } from '@tanstack/react-query';
import { cleanup } from '@testing-library/react';
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest';
import { queryClient } from '#web/api/queries.ts';
import { signOut } from '#web/api/session.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { noteServerTime } from '#web/lib/server-time.ts';
import { checkAccessible } from './check-accessible.ts';
import { server } from './server.ts';

export { server };

// Runs for every file. The files share the browser, the app's modules and this server, so a test's leftovers affect the
// next one.
const properties = new Set(Object.getOwnPropertyNames(navigator));
const complaints = vi.spyOn(console, 'error');

beforeEach(() => complaints.mockClear());
afterEach(async () => {
  checkAccessible(document);
  cleanup();
  signOut();
  queryClient.clear();
  onlineManager.setOnline(true);
  localStorage.clear();
  sessionStorage.clear();
  server.resetHandlers();
  noteServerTime(new Headers({ Date: new Date().toISOString() }));
  expect(complaints).not.toHaveBeenCalled();
});
afterAll(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const name of Object.getOwnPropertyNames(navigator)) {
    if (!properties.has(name)) Reflect.deleteProperty(navigator, name);
  }
  await changeLanguage('en');
  window.history.replaceState(null, '', '/');
  document.body.replaceChildren();
});
