import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import i18next from 'i18next';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { preloadAllScreens } from '#web/app/lazy-screen.tsx';
import { routes } from '#web/app/router.tsx';
import { loadTexts, startI18n } from '#web/lib/i18n.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { signOut } from '#web/lib/session.ts';
import { checkAccessible } from './check-accessible.ts';

/**
 * The API as a screen's test says it answers; a call that it did not foresee fails the test. Foreseen for all of them
 * is what the frame around every screen asks for once somebody is signed in, and that they run no platform.
 */
export const server = setupServer(
  http.get('*/api/notices', () => HttpResponse.json({ unread_count: 0, notices: [] })),
  http.get('*/api/claims', () => HttpResponse.json([])),
  http.get('*/api/me', () => HttpResponse.json({ id: 'a-user', username: 'Asha', is_platform_admin: false })),
  http.post('*/api/realtime/ticket', () => new Promise<never>(() => undefined)),
);

// Roles of a whole screen take a busy machine long to find out; what does not appear fails a test all the same.
configure({ asyncUtilTimeout: 5_000 });
// jsdom lays nothing out, so there is nothing to scroll.
window.scrollTo = () => undefined;
// Nor does it open a modal dialog.
HTMLDialogElement.prototype.showModal ??= function showModal() {
  this.open = true;
};
HTMLDialogElement.prototype.close ??= function close() {
  this.open = false;
};
// The threads of Node hear each other's channels: without a name of its own, a file would hear the tabs of another file.
const thisFile = crypto.randomUUID();
globalThis.BroadcastChannel = class extends BroadcastChannel {
  constructor(name: string) {
    super(`${name} ${thisFile}`);
  }
};
await startI18n();
i18next.options.parseMissingKeyHandler = (key) => {
  throw new Error(`There is no text for the key ${key}`);
};
// React would warn of a screen whose code comes outside of what a test awaits.
await preloadAllScreens(routes);
// A test may render a part without what loads its texts.
await loadTexts('admin', 'photos', 'push', 'sharing');
const complaints = vi.spyOn(console, 'error');

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => complaints.mockClear());
afterEach(() => {
  checkAccessible(document);
  cleanup();
  signOut();
  queryClient.clear();
  localStorage.clear();
  sessionStorage.clear();
  server.resetHandlers();
  expect(complaints).not.toHaveBeenCalled();
});
afterAll(() => server.close());
