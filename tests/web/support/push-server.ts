import { HttpResponse, http } from 'msw';
import { DEFAULT_NOTICE_SETTINGS, type NoticeSettings } from '#contract/channels.ts';
import { refuse } from './posts.ts';
import { KEY } from './push-browser.ts';
import { server } from './setup.ts';

/**
 * Serves the push endpoints, and records the requests with their tokens. @param key null if the server sends no pushes.
 */
export function servePush({ key = KEY as string | null, settings = DEFAULT_NOTICE_SETTINGS } = {}) {
  const heard = {
    put: [] as [string, string | null][],
    deleted: [] as [string, string | null][],
    saved: [] as unknown[],
  };
  const served = { key, settings: settings as NoticeSettings };
  const tokenOf = (request: Request) => request.headers.get('Authorization');
  server.use(
    http.get('*/api/push/key', () =>
      served.key === null ? refuse(404, 'push_unavailable') : HttpResponse.json({ public_key: served.key }),
    ),
    http.put('*/api/push/subscriptions', async ({ request }) => {
      const { endpoint } = (await request.json()) as { endpoint: string };
      heard.put.push([endpoint, tokenOf(request)]);
      return new HttpResponse(null, { status: 204 });
    }),
    http.delete('*/api/push/subscriptions', async ({ request }) => {
      const { endpoint } = (await request.json()) as { endpoint: string };
      heard.deleted.push([endpoint, tokenOf(request)]);
      return new HttpResponse(null, { status: 204 });
    }),
    // Logging out also ends the session.
    http.delete('*/api/me/devices/current', () => new HttpResponse(null, { status: 204 })),
    http.get('*/api/me/notice-settings', () => HttpResponse.json(served.settings)),
    http.put('*/api/me/notice-settings', async ({ request }) => {
      served.settings = (await request.json()) as NoticeSettings;
      heard.saved.push(served.settings);
      return HttpResponse.json(served.settings);
    }),
  );
  return { heard, served };
}
