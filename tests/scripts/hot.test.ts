import { once } from 'node:events';
import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { LIVE_PROTOCOL, LIVE_TICKET_PREFIX, type RealtimeTicket } from '#contract/live-messages.ts';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import { callApi, registerPerson } from '#tests/support/e2e-people.ts';
import { type RunningApp, startApp } from '#tests/support/start-app.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 180_000 });

const SCREEN = 'home/home-screen.tsx';
const FILE = join(PROJECT_ROOT, 'web', SCREEN);

let app: RunningApp;
beforeAll(async () => {
  app = await startApp(['--hot']);
  vi.stubEnv('PATIKANA_ORIGIN', app.origin);
});
afterAll(() => app.stop());

/** Opens a socket to the app. */
async function connect(path: string, protocols: string[]): Promise<WebSocket> {
  const socket = new WebSocket(app.origin.replace('http', 'ws') + path, protocols);
  await once(socket, 'open');
  return socket;
}

test('the development server updates a changed web file in the open page without a reload', async () => {
  expect(app.output()).toContain('Hot: what changes in web/ shows at once');
  expect(await (await fetch(`${app.origin}/my-posts`, { headers: { Accept: 'text/html' } })).text()).toContain(
    '/@vite/client',
  );
  expect(await (await fetch(`${app.origin}/${SCREEN}`)).text()).toContain('import.meta.hot');
  const hot = await connect('/', ['vite-hmr']);
  const updated: string[] = [];
  hot.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as { type: string; updates?: { path: string }[] };
    if (message.type === 'update') updated.push(...(message.updates ?? []).map(({ path }) => path));
  });
  // Changes only the file's time and restores it, because the file belongs to the developer. A newer source triggers a
  // build.
  const { atime, mtime } = statSync(FILE);
  utimesSync(FILE, atime, new Date());
  await vi
    .waitFor(() => expect(updated).toContain(`/${SCREEN}`), { timeout: 30_000 })
    .finally(() => utimesSync(FILE, atime, mtime));
  hot.close();
});

test('the development server forwards API requests and WebSockets to the real Worker', async () => {
  const { id, token } = await registerPerson();
  const { ticket } = await callApi<RealtimeTicket>('POST', '/api/realtime/ticket', { token });
  const live = await connect(`/ws/${id}`, [LIVE_PROTOCOL, LIVE_TICKET_PREFIX + ticket]);
  expect(live.protocol).toBe(LIVE_PROTOCOL);
  live.close();
  const unknown = await fetch(`${app.origin}/api/nothing`);
  expect([unknown.status, unknown.headers.get('X-Request-Id')]).toEqual([404, expect.any(String)]);
});

test('the development server replaces an old service worker with one that unregisters itself', async () => {
  const script = await fetch(`${app.origin}/service-worker.js`);
  expect(script.headers.get('Content-Type')).toBe('text/javascript');
  expect(await script.text()).toContain('registration.unregister()');
});
