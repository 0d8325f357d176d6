import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';

/**
 * A mock API. A request without a handler fails the test. Handlers exist for the requests that the app sends on every
 * screen. By default, the user is not a platform admin.
 */
export const server = setupServer(
  http.get('*/api/notices', () => HttpResponse.json({ unread_count: 0, notices: [] })),
  http.get('*/api/claims', () => HttpResponse.json([])),
  http.get('*/api/me', () => HttpResponse.json({ id: 'a-user', username: 'Asha', is_platform_admin: false })),
  http.post('*/api/realtime/ticket', () => new Promise<never>(() => undefined)),
);
server.listen({ onUnhandledFrame: 'error' });
