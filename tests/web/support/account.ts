import { HttpResponse, http } from 'msw';
import type { Device, Me } from '#contract/accounts.ts';
import { servePush } from './push.ts';
import { server } from './setup.ts';

export const ME: Me = {
  id: 'a-user',
  username: 'Asha',
  email: 'asha@example.com',
  is_email_proven: false,
  is_email_available: true,
  whatsapp_number: '+255712345678',
  is_whatsapp_verified: true,
  language: 'sw',
  is_platform_admin: false,
  is_suspended: false,
  suspension_reason: null,
  created_at: '2026-11-01T09:00:00.000Z',
};

export const DEVICES: Device[] = [
  {
    id: 'here',
    name: 'Chrome, Android',
    created_at: '2026-11-01T09:00:00.000Z',
    last_seen_at: '2026-11-22T05:00:00.000Z',
    is_this: true,
  },
  {
    id: 'there',
    name: 'Firefox, Windows',
    created_at: '2026-10-01T09:00:00.000Z',
    last_seen_at: '2026-11-20T05:00:00.000Z',
    is_this: false,
  },
];

/** Serves the responses that the screen /account needs. */
export function serveAccount(overrides: Partial<Me> = {}, { devices = DEVICES, blocks = [] as unknown[] } = {}) {
  const served = { me: { ...ME, ...overrides }, devices };
  server.use(
    http.get('*/api/me', () => HttpResponse.json(served.me)),
    http.get('*/api/me/devices', () => HttpResponse.json(served.devices)),
    http.get('*/api/me/blocks', () => HttpResponse.json(blocks)),
  );
  return { served, push: servePush() };
}

/** Answers requests with this method and path. @returns the bodies of these requests. */
export function serveWrite(
  method: 'post' | 'put' | 'patch' | 'delete',
  path: string,
  answer: (body: never) => Response = () => new HttpResponse(null, { status: 204 }),
): unknown[] {
  const bodies: unknown[] = [];
  server.use(
    http[method](`*/api${path}`, async ({ request }) => {
      const text = await request.text();
      const body: unknown = text === '' ? null : JSON.parse(text);
      bodies.push(body);
      return answer(body as never) as never;
    }),
  );
  return bodies;
}
